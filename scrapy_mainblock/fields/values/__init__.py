"""Reads values in texts and URLs: days, names of people, languages, pictures."""
