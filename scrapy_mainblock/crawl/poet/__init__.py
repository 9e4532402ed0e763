"""Page inputs for scrapy-poet."""
