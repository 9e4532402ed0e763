"""Low-level storage of an outline: arrays of numbers, byte buffers, hashes and hash tables."""
