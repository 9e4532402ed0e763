"""`mainblock rules pin`, `unpin`, `drop`, `keep` (change rules by hand) and `check`."""
