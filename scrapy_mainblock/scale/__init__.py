"""Engines that spread the work over many processes and machines."""

PAGES_OF_A_SITE = 20
"""That learning reads: three times what a rule takes, for a second template."""
