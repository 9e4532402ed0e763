"""The settings of the project."""

BOT_NAME = "example"
SPIDER_MODULES = ["example.spiders"]

ADDONS = {"scrapy_mainblock.Addon": 500}
FEEDS = {"articles.jsonl": {"format": "jsonlines", "overwrite": True}}

ROBOTSTXT_OBEY = True
AUTOTHROTTLE_ENABLED = True

LOG_LEVEL = "INFO"
TELNETCONSOLE_ENABLED = False
