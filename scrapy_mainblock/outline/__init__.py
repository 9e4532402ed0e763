"""What one scan of a page's source sees: its elements and lines of text, as flat arrays."""
