"""The choice of segments to keep, by their probabilities: the cut, comments, repetitions."""
