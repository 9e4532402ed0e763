"""Import of another extractor's rules: ftr-site-config files become pinned rules."""
