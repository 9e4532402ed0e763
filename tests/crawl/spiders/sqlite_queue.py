"""A project's own disk queue: requests in SQLite, in a format that our code does not know."""

import pickle
from pathlib import Path

from queuelib.queue import LifoSQLiteQueue
from scrapy.utils.request import request_from_dict


class SqliteQueue:
    """A class for SCHEDULER_DISK_QUEUE."""

    @classmethod
    def from_crawler(cls, crawler, key, *args, **kwargs):
        return cls(crawler, key)

    def __init__(self, crawler, path):
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        self.crawler, self.queue = crawler, LifoSQLiteQueue(path)

    def push(self, request):
        self.queue.push(pickle.dumps(request.to_dict(spider=self.crawler.spider)))

    def pop(self):
        return self._request(self.queue.pop())

    def peek(self):
        return self._request(self.queue.peek())

    def _request(self, data):
        return data and request_from_dict(pickle.loads(data), spider=self.crawler.spider)

    def close(self):
        self.queue.close()

    def __len__(self):
        return len(self.queue)
