"""Scores of methods and peers on labeled pages: `mainblock eval`."""
