"""Where a crawl keeps its rules: as the settings say, in the project, in the JOBDIR, or nowhere."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import parse_qsl, quote, urlencode, urlsplit, urlunsplit

from scrapy.settings import BaseSettings
from scrapy.utils.project import inside_project, project_data_dir

from scrapy_mainblock.stores.addresses import is_server

_CARRIED = ("username", "password", "db")
"""The REDIS_PARAMS that are needed to reach the server, besides all ``ssl_…``. The rest (timeouts,
encodings) is for scrapy-redis's own connection."""


def rules_address(rules: str | None, rules_dir: str | None, settings: BaseSettings) -> str | None:
    """Return the address, or None to keep no rules; `rules` takes precedence over `rules_dir`."""
    given = rules if rules is not None else rules_dir
    if given is not None:
        return of_scrapy_redis(given, settings) if is_server(given) else given or None
    if inside_project():
        return str(Path(project_data_dir()) / "mainblock" / "rules")
    jobdir: str | None = settings.get("JOBDIR")
    return str(Path(jobdir) / "mainblock" / "rules") if jobdir else None


def of_scrapy_redis(address: str, settings: BaseSettings) -> str:
    """Return an address; one without a host becomes that of scrapy-redis's server.

    That server is named in scrapy-redis's settings; its password is sent to no other server.
    """
    parts = urlsplit(address)
    if parts.netloc:
        return address
    params = settings.getdict("REDIS_PARAMS")
    url = settings.get("REDIS_URL") or params.get("url")
    if not url:
        host = settings.get("REDIS_HOST") or params.get("host") or "localhost"
        port = settings.get("REDIS_PORT") or params.get("port") or 6379
        url = f"{parts.scheme}://{quote(str(host), safe=':[]')}:{port}"
    server = urlsplit(url)
    carried = {
        name: str(value)
        for name, value in params.items()
        if (name in _CARRIED or name.startswith("ssl_")) and isinstance(value, (str, int))
    }
    if (number := settings.get("REDIS_DB")) is not None:
        carried["db"] = str(number)
    # Parameters in the URL itself take precedence, as in redis-py.
    given = dict([*parse_qsl(parts.query), *parse_qsl(server.query)])
    query = urlencode({**carried, **given})
    return urlunsplit((server.scheme, server.netloc, server.path, query, ""))
