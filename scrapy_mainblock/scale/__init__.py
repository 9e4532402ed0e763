"""Engines that spread the work over many processes and machines."""
