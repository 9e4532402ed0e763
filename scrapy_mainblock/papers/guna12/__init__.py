"""[Guna12]: content by link density."""
