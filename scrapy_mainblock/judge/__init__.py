"""Judging a single page without rules: how likely each segment is content, and which to keep."""
