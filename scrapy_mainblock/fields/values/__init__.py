"""How a value is read: days, names of people, languages."""
