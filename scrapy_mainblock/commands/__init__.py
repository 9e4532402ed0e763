"""Commands of `scrapy`: one module each, named like its command."""
