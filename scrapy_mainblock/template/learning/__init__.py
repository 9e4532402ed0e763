"""How the rules of a site follow from its pages: start in `evidence`."""
