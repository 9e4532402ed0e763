"""The way of a page through the nouns: start in `extract`."""
