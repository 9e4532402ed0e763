"""Rules of other extractors: files of the ftr-site-config kind, as pinned rules."""
