"""HTML parsing: from a source to the elements and texts that a browser would find in it."""
