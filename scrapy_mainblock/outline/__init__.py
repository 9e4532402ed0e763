"""The Outline of a page: its elements and lines of text as flat arrays, found by one scan."""
