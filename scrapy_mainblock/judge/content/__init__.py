"""Which likely segments of a page alone are its content: the cut, rows of comments, repetitions."""
