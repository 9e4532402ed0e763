"""The Page (a source, decoded once, and its URL) and helpers that all other packages build on."""
