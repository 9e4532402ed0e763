"""A decision rendered: text with its paragraphs, and clean HTML."""
