"""Filling items: their fields, and the types of the values."""
