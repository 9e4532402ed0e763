"""Conversion of responses to the core's pages, and to plain data on disk and back."""

from __future__ import annotations

import codecs
import json
import zlib
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from scrapy import Request, Spider
from scrapy.http import HtmlResponse, Response, TextResponse, XmlResponse
from scrapy.utils.request import request_from_dict

from scrapy_mainblock.crawl.durable import items
from scrapy_mainblock.crawl.pages.tag import Tag
from scrapy_mainblock.crawl.scrapy_compat import declared_encoding
from scrapy_mainblock.page.page import Page
from scrapy_mainblock.page.source.decode import decode
from scrapy_mainblock.page.source.utf8 import is_utf8

META_KEY = "mainblock"
LONG_BODY = 500_000
"""Bytes above which a page is processed in a thread: it then takes some 10 ms, as long as an event
loop should be blocked. For shorter pages a thread costs more than it saves."""
LARGEST_BODY = 32_000_000
"""Limit on the bytes of a page that is kept on disk; items of a larger page are filled at once."""

_CODECS_OF_PYTHON = ("punycode", "idna", "unicode_escape", "raw_unicode_escape")
"""Charsets that a page may declare and Python takes minutes to decode (the first is quadratic)."""


def is_html(response: Response) -> bool:
    """Return whether a response is an HTML page."""
    if isinstance(response, HtmlResponse):
        return True
    return (
        isinstance(response, TextResponse)
        and not isinstance(response, XmlResponse)
        and b"html" in (response.headers.get("Content-Type") or b"").lower()
    )


def meta_of(response: Response) -> dict[str, Any]:
    """Return the meta of a response's request; empty if there is no request, such as in a test."""
    return {} if response.request is None else response.request.meta


def opted_out(response: Response) -> bool:
    """Return whether a response's request has `meta={"mainblock": False}`.

    A dict there is the tag of an older page, whose meta the user has copied.
    """
    return meta_of(response).get(META_KEY) is False


def is_long(response: Response) -> bool:
    """Return whether a response is to be processed in a thread."""
    return is_long_source(response.body)


def is_long_source(source: bytes) -> bool:
    """Return whether a source is to be processed in a thread."""
    return len(source) > LONG_BODY


def page_of(response: Response) -> Page:
    """Return the page of a response, decoded as Scrapy decodes it, or else as a browser would."""
    try:
        return own_page_of(response)
    except (LookupError, ValueError):
        return Page.of(decode(response.body), response.url)


def own_page_of(response: Response) -> Page:
    """Return the page in `response.text`; raises LookupError or ValueError if there is none."""
    encoding = response.encoding if isinstance(response, TextResponse) else None
    return _page_in(response, encoding)


def _page_in(response: Response, encoding: str | None) -> Page:
    """Return the page in `response.text`, given the response's encoding."""
    if encoding is not None and _is_utf8(response.body, encoding):
        return Page.of_utf8(response.body, response.url)
    return Page.of(own_text_of(response), response.url)


def tag_of(response: Response) -> Tag:
    """Return the tag of a response.

    Raises LookupError or ValueError if the response has no text that offsets can refer to.
    """
    encoding = response.encoding if isinstance(response, TextResponse) else None
    return Tag(_page_in(response, encoding), (response.body, encoding))


def own_tag(response: Response) -> Tag | None:
    """Return the tag in a response's meta if it was made from this response, else None."""
    tag = meta_of(response).get(META_KEY)
    if not isinstance(tag, Tag) or tag.page.url != response.url:
        return None
    body, encoding = tag.made_from
    is_same = body is response.body and encoding == getattr(response, "encoding", None)
    return tag if is_same else None


def _is_utf8(body: bytes, encoding: str) -> bool:
    """Return whether a body in an encoding is, byte for byte, its own text in UTF-8."""
    if encoding.lower().replace("_", "-") not in {"utf-8", "utf8", "ascii"}:
        return False
    return not body.startswith(codecs.BOM_UTF8) and is_utf8(bytes(body))


def own_text_of(response: Response) -> str:
    """Return `response.text`; raises LookupError or ValueError if there is none."""
    if not isinstance(response, TextResponse):
        raise LookupError("not a text response")
    declared = (declared_encoding(response) or "").lower().replace("-", "_")
    # Markup in UTF-16 always contains zero bytes; without any, the encoding is another one.
    is_belied = declared.startswith(("utf_16", "utf_32")) and b"\x00" not in response.body
    if is_belied or declared in _CODECS_OF_PYTHON:
        raise LookupError(f"{declared} is not this page's encoding")
    return response.text


# ---- on disk -----------------------------------------------------------------------------------

_CLASSES: Mapping[str, type[Response]] = {
    "html": HtmlResponse,
    "xml": XmlResponse,
    "text": TextResponse,
    "bytes": Response,
}


def pack(response: Response, spider: Spider | None) -> tuple[str, bytes]:
    """Return a response and its request as data: a JSON document and the compressed body.

    Entries of the request's meta that are not plain data are left out. The callback is named only
    if the whole request is plain, so that the callback can be called again.
    """
    kind = next(name for name, cls in _CLASSES.items() if isinstance(response, cls))
    document = {
        "class": kind,
        "tagged": _is_unread(meta_of(response).get(META_KEY)),
        "url": response.url,
        "status": response.status,
        "headers": [
            [_latin1(name), [_latin1(value) for value in values]]
            for name, values in response.headers.items()
        ],
        "flags": [str(flag) for flag in response.flags],
        "protocol": response.protocol,
        "request": _pack_request(response.request, spider) if response.request else None,
    }
    if isinstance(response, TextResponse):
        # Declared or detected, this is the encoding in which the spider has read the page.
        document["encoding"] = response.encoding
    return json.dumps(document), zlib.compress(response.body, 1)


def _pack_request(request: Request, spider: Spider | None) -> dict[str, str]:
    """Pack each part by itself, with `items.dumps`: one that is not plain affects no other."""
    try:
        parts = request.to_dict(spider=spider)
        is_whole = True
    except ValueError:  # a callback that is not a method of the spider
        parts, is_whole = request.replace(callback=None, errback=None).to_dict(), False
    parts.pop("_class", None)
    packed = {}
    for name, value in parts.items():
        if name == "meta":
            value, is_plain = _plain_part(value)  # noqa: PLW2901
            is_whole = is_whole and is_plain
        try:
            packed[name] = items.dumps(value)
        except items.NotPlainError:
            is_whole = False
    if not is_whole:
        for name in ("callback", "errback", "cb_kwargs"):
            packed.pop(name, None)
    return {**packed, "whole": items.dumps(is_whole)}


def _is_unread(tag: object) -> bool:
    return isinstance(tag, Tag) and not tag.is_read


def _plain_part(meta: Mapping[str, Any]) -> tuple[dict[str, Any], bool]:
    plain = {}
    meta = {key: value for key, value in meta.items() if not _is_unread(value)}  # rebuilt later
    for key, value in meta.items():
        try:
            items.dumps([key, value])
        except items.NotPlainError:
            continue
        plain[key] = value
    return plain, len(plain) == len(meta)


def unpack(document: str, body: bytes, spider: Spider | None) -> tuple[Response, bool]:
    """Return the response, and whether its request has its callback; ValueError for wrong data."""
    try:
        fields = json.loads(document)
        request, is_whole = _unpack_request(fields["request"], fields["url"], spider)
        keywords: dict[str, Any] = {
            "status": fields["status"],
            "headers": {
                name.encode("latin-1"): [value.encode("latin-1") for value in values]
                for name, values in fields["headers"]
            },
            "body": zlib.decompress(body),
            "flags": fields["flags"],
            "protocol": fields["protocol"],
            "request": request,
        }
        if "encoding" in fields:
            keywords["encoding"] = fields["encoding"]
        response = _CLASSES[fields["class"]](fields["url"], **keywords)
        is_tagged = bool(fields.get("tagged"))
    except (LookupError, TypeError, AttributeError, RecursionError, zlib.error) as error:
        raise ValueError(f"{type(error).__name__}: {error}") from None
    if is_tagged:
        with suppress(LookupError, ValueError):
            request.meta[META_KEY] = tag_of(response)
    return response, is_whole


def _unpack_request(
    packed: Mapping[str, str] | None, url: str, spider: Spider | None
) -> tuple[Request, bool]:
    if packed is None:
        return Request(url, dont_filter=True), False
    parts = {name: items.loads(value) for name, value in packed.items()}
    is_whole = bool(parts.pop("whole", False))
    parts.pop("_class", None)  # never load a class that is named on disk
    return request_from_dict(parts, spider=spider), is_whole


def _latin1(value: bytes) -> str:
    return value.decode("latin-1")
