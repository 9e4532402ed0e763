"""A page alone: how likely each of its segments is main content, and which to keep."""
