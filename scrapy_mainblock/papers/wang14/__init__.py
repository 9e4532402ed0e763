"""[Wang14]: logical link blocks, found in one scan of the source."""
