"""Fields by rule: one place of a page asked, and what learning keeps of all its places."""
