"""[Wang18]: page clustering, and a rule for each cluster."""
