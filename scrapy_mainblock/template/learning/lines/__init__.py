"""The lines of pages, as numbers: counted at their places, and which of them recur."""
