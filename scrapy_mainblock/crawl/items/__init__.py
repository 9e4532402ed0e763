"""What goes into an item, and in which types."""
