"""The pure core: lxml, numpy and the standard library; never Scrapy. Start in `mainblock`."""
