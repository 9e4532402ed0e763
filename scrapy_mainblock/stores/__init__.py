"""Stores that keep rules between runs: a directory or Redis."""
