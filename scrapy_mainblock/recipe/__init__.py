"""The steps from a page to an article, and from pages to rules: start reading in `extract`."""
