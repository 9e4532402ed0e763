"""What the models see of a page: numbers, each with a name."""
