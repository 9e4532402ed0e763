"""What else an article has: its headline, and what its page says for machines."""
