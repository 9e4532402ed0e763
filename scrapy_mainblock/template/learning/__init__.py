"""Learning: how the rules of a site follow from its pages. Start reading in `evidence`."""
