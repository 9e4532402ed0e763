"""`mainblock rules pin`, `unpin`, `drop`, `keep`, `check`: rules changed by hand, and checked."""
