"""[Guna12]: content extraction by link density."""
