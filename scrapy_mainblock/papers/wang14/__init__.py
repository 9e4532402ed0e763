"""[Wang14]: logical link blocks, found in the order of the source."""
