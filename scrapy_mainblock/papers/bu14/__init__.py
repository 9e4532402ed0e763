"""[Bu14], FAR-SW: fuzzy association rules and a sliding window over the lines of a page."""
