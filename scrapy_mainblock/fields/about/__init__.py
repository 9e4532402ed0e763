"""Fields that describe a page: its dates, authors, pictures, language and description."""
