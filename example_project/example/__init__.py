"""An ordinary Scrapy project with one additional line: ADDONS in its settings."""
