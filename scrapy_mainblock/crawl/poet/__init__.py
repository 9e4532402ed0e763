"""For scrapy-poet: page inputs that are ours."""
