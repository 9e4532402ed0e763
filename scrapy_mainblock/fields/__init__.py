"""The fields of an article besides its body: headline, dates, authors, pictures and others."""
