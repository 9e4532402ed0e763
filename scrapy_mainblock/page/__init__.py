"""A source, decoded once, and its address."""
