"""Fields by rule: reads a field at one place, and records the places of a page for learning."""
