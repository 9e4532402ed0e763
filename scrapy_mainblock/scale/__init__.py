"""Adapters for engines that spread the work over many processes and machines."""

PAGES_OF_A_SITE = 20
"""The number of pages of a site that learning reads: three times what a rule takes, to allow for a
second template."""
