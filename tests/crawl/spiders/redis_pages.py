"""Crawls the stories of a list, with seeds, queue and seen requests in Redis (scrapy-redis)."""

from scrapy_redis.spiders import RedisSpider


class RedisPagesSpider(RedisSpider):
    name = "redis_pages"
    redis_key = "seeds"
    custom_settings = {
        "SCHEDULER": "scrapy_redis.scheduler.Scheduler",
        "DUPEFILTER_CLASS": "scrapy_redis.dupefilter.RFPDupeFilter",
        # Otherwise the first worker to end clears the shared queue.
        "SCHEDULER_PERSIST": True,
        "MAX_IDLE_TIME_BEFORE_CLOSE": 4,
        "MAINBLOCK_RULES": "redis://?namespace=news",
    }

    def parse(self, response):
        for link in response.css("a.story::attr(href)").getall():
            yield response.follow(link, self.parse_page)

    def parse_page(self, response):
        yield {"url": response.url}
