"""Memory for numbers and octets, and hashes: what the arrays of an outline are kept in."""
