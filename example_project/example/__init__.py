"""A Scrapy project as any other, with one line more: ADDONS in its settings."""
