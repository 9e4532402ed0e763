"""The features of a page that the models see: numbers, each with a name."""
