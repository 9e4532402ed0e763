"""The bytes of a source: whether it can be read, its encoding, and its characters."""
