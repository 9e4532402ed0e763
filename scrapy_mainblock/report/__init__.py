"""The reports behind `mainblock explain` and `mainblock inspect`: pages, decisions and rules."""
