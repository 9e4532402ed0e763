"""One of several workers on a site: crawls every n-th story of a list and records its time."""

import socket
import threading
import time
from pathlib import Path

import scrapy


class PartSpider(scrapy.Spider):
    name = "part"

    def __init__(self, url, part=0, of=1, watched_port=None, **kwargs):
        super().__init__(**kwargs)
        self.start_urls = [url]
        self.part, self.of = int(part), int(of)
        if watched_port:
            watch(int(watched_port))

    def parse(self, response):
        for link in response.css("a.story::attr(href)").getall()[self.part :: self.of]:
            yield response.follow(link, self.parse_page)

    def parse_page(self, response):
        with Path("reached.txt").open("a") as file:
            file.write(response.url.rsplit("/", 1)[1] + "\n")
        yield {"url": response.url, "at": time.time()}


def watch(port):
    """Record the names of the threads that talk to a port."""

    def noting(name):
        real = getattr(socket.socket, name)

        def call(self, *arguments):
            try:
                peer = arguments[0] if name == "connect" else self.getpeername()
            except OSError:
                peer = None
            if isinstance(peer, tuple) and peer[1] == port:
                with Path("threads.txt").open("a") as file:
                    file.write(f"{name} {threading.current_thread().name}\n")
            return real(self, *arguments)

        setattr(socket.socket, name, call)

    for name in ("connect", "send", "sendall", "recv", "recv_into"):
        noting(name)
