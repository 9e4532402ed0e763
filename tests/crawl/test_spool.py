"""The spool: every page is replayed whole and once; a damaged or full spool stops no crawl."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest
from scrapy import Request, Spider
from scrapy.http import HtmlResponse, Response, XmlResponse

from scrapy_mainblock.crawl.durable.spool import FILE, VERSION, Spool, SpoolError
from scrapy_mainblock.crawl.pages.responses import pack, unpack


def _keep(spool: Spool, site: str = "a.example", cluster: str = "c", items: int = 2) -> int:
    page = spool.add_page(site, "document", b"body")
    for number in range(items):
        spool.add_item(page, f"{page}.{number}")
    spool.hold(page, site, cluster, 0.0)
    spool.end(page)
    return page


def _claimed(spool: Spool) -> list[int]:
    rows = []
    while row := spool.claim():
        rows.append(row.id)
    return rows


@pytest.mark.parametrize("durable", [False, True])
def test_pages_are_released_once_by_cluster_by_site_or_all(tmp_path: Path, durable: bool) -> None:
    spool = Spool(tmp_path if durable else None)
    first, second = _keep(spool), _keep(spool, cluster="d")
    third, fourth = _keep(spool, "b.example"), _keep(spool, "c\ud800.example")
    assert _claimed(spool) == []
    assert spool.make_ready("a.example", "d") == 1
    assert _claimed(spool) == [second]
    assert spool.make_ready("c\ud800.example") == 1
    assert _claimed(spool) == [fourth]
    assert spool.make_ready() == 2
    row = spool.claim()
    assert row is not None
    assert (row.id, row.items, row.body) == (first, [f"{first}.0", f"{first}.1"], b"body")
    assert _claimed(spool) == [third]
    assert spool.count_pages() == 4
    spool.remove([first, second, third, fourth])
    assert spool.count_pages() == 0
    spool.close(is_clean=True)


def test_without_jobdir_the_spool_is_an_unlinked_temporary_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SQLITE_TMPDIR", str(tmp_path))
    spool = Spool(None)
    for _ in range(20):
        spool.add_page("a.example", "document", bytes(1_000_000))
    (size,) = spool._db.execute("PRAGMA cache_size").fetchone()
    assert size == -2000  # KiB of cache for 20 MB of data
    assert list(tmp_path.iterdir()) == []
    assert spool.count_pages() == 20


def test_after_a_kill_pages_are_replayed_with_their_state(tmp_path: Path) -> None:
    spool = Spool(tmp_path)
    held = _keep(spool)
    running = spool.add_page("a.example", "document", b"")
    spool.add_item(running, "x")
    gone = _keep(spool)
    spool.remove([gone])
    del spool  # no close

    resumed = Spool(tmp_path)
    assert resumed.was_killed
    rows = [resumed.claim(), resumed.claim()]
    assert [(row.id, row.state) for row in rows if row] == [(held, "left"), (running, "again")]
    resumed.close(is_clean=True)
    third = Spool(tmp_path)
    assert not third.was_killed
    assert third.claim() is None


def test_a_spool_cut_at_any_length_is_moved_aside_or_read(tmp_path: Path) -> None:
    spool = Spool(tmp_path)
    for _ in range(20):
        _keep(spool)
    spool.close(is_clean=False)
    whole = (tmp_path / FILE).read_bytes()
    read = []
    for number, length in enumerate([*range(120), *range(120, len(whole), 509)]):
        directory = tmp_path / str(number)
        directory.mkdir()
        (directory / FILE).write_bytes(whole[:length])
        again = Spool(directory)
        if again.put_aside:
            assert again.put_aside.exists()
            assert again.count_pages() == again.saved_pages
        read.append(len(_claimed(again)))
        _keep(again)
        again.close(is_clean=True)
    assert read[0] == 0
    assert read[-1] == 20  # every readable page is replayed


def test_the_readable_pages_of_a_damaged_spool_are_replayed(tmp_path: Path) -> None:
    spool = Spool(tmp_path)
    for _ in range(60):
        page = spool.add_page("a.example", "document", b"x" * 1500)
        spool.add_item(page, str(page))
        spool.end(page)
    spool.close(is_clean=False)
    whole = bytearray((tmp_path / FILE).read_bytes())
    middle = len(whole) // 2 // 4096 * 4096
    whole[middle : middle + 4096] = bytes(4096)
    (tmp_path / FILE).write_bytes(whole)
    again = Spool(tmp_path)
    assert again.put_aside is not None
    assert not again.is_newer
    assert 20 < again.saved_pages < 60
    rows = [again.claim() for _ in range(again.saved_pages)]
    assert all(row and row.items == [str(row.id)] for row in rows)
    assert any(row and row.id < 15 for row in rows)  # from both ends
    assert any(row and row.id > 45 for row in rows)


def test_a_spool_of_a_later_version_is_moved_aside_unchanged(tmp_path: Path) -> None:
    spool = Spool(tmp_path)
    _keep(spool)
    spool._db.execute(f"PRAGMA user_version = {VERSION + 1}")
    spool.close(is_clean=False)
    before = (tmp_path / FILE).read_bytes()
    again = Spool(tmp_path)
    assert again.is_newer
    assert again.put_aside is not None
    assert again.put_aside.read_bytes() == before
    assert again.count_pages() == 0


def test_a_spool_with_a_changed_byte_raises_only_spool_errors(tmp_path: Path) -> None:
    spool = Spool(tmp_path)
    for _ in range(20):
        _keep(spool)
    spool.close(is_clean=False)
    whole = bytearray((tmp_path / FILE).read_bytes())
    for place in range(0, len(whole), 97):
        directory = tmp_path / str(place)
        directory.mkdir()
        changed = whole.copy()
        changed[place] ^= 0xFF
        (directory / FILE).write_bytes(changed)
        try:
            again = Spool(directory)
            again.make_ready()
            _claimed(again)
            again.close(is_clean=True)
        except SpoolError:
            pass


def test_an_unrelated_database_is_moved_aside(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / FILE) as db:
        db.execute("CREATE TABLE pages (title TEXT)")
    assert Spool(tmp_path).put_aside is not None


def test_a_full_disk_raises_a_spool_error_until_there_is_space(tmp_path: Path) -> None:
    spool = Spool(tmp_path)
    page = _keep(spool)
    spool._db.execute("PRAGMA max_page_count = 12")
    with pytest.raises(SpoolError, match="full"):
        spool.add_page("a.example", "document", b"x" * 1_000_000)
    spool.make_ready()
    assert _claimed(spool) == [page]  # claiming writes nothing
    spool._db.execute("PRAGMA max_page_count = 100000")
    spool.add_page("a.example", "document", b"x" * 1_000_000)


def test_an_uncreatable_directory_raises_a_spool_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(SpoolError):
        Spool(tmp_path / "file" / "job")


class OwnSpider(Spider):
    name = "own"

    def parse_page(self, response: Response) -> None:
        """Callback that a request can refer to."""


def _request(**keywords: object) -> Request:
    spider = keywords.pop("spider")
    return Request("https://a.example/x", callback=spider.parse_page, **keywords)  # type: ignore


RESPONSES = [
    HtmlResponse("https://a.example/\u00e4", body="ü".encode("latin-1"), encoding="latin-1"),
    HtmlResponse("https://a.example/", status=404, body=b"<p>\xff", flags=["cached"],
                 headers={"Set-Cookie": ["a=1", "b=2"], "X": b"\xff"}),
    XmlResponse("https://a.example/", body=b"<a/>"),
    Response("https://a.example/", body=b"\x00" * 1000, protocol="HTTP/1.1"),
]  # fmt: skip


@pytest.mark.parametrize(
    "response", RESPONSES, ids=lambda one: f"{type(one).__name__} {one.status}"
)
def test_a_response_is_unpacked_with_its_request(response: Response) -> None:
    spider = OwnSpider()
    request = _request(
        spider=spider, meta={"depth": 2, "own": (1, {2})}, cb_kwargs={"a": b"1"}, headers={"B": "c"}
    )
    response.request = request
    back, is_whole = unpack(*pack(response, spider), spider)
    assert is_whole
    assert type(back) is type(response)
    for name in ("url", "status", "headers", "body", "flags", "protocol"):
        assert getattr(back, name) == getattr(response, name)
    if isinstance(response, HtmlResponse):
        assert back.text == response.text
    assert back.request is not None
    assert back.request.to_dict(spider=spider) == request.to_dict(spider=spider)


def test_parts_of_a_request_that_are_not_plain_are_dropped() -> None:
    spider = OwnSpider()
    request = _request(spider=spider, meta={"a": 1, "page": object()}, cb_kwargs={"x": object()})
    response = HtmlResponse("https://a.example/", request=request)
    back, is_whole = unpack(*pack(response, spider), spider)
    assert not is_whole
    assert back.meta == {"a": 1}
    assert back.request is not None
    assert back.request.callback is None


def test_a_callback_that_is_not_a_spider_method_is_not_restored() -> None:
    request = Request("https://a.example/", callback=lambda response: None)
    back, is_whole = unpack(*pack(HtmlResponse(request.url, request=request), None), None)
    assert not is_whole
    assert back.url == request.url


def test_a_document_cut_anywhere_raises_a_value_error() -> None:
    document, body = pack(RESPONSES[0], OwnSpider())
    for cut in range(len(document)):
        with pytest.raises(ValueError):  # noqa: PT011 - any message is fine
            unpack(document[:cut], body, None)
    with pytest.raises(ValueError):  # noqa: PT011
        unpack(document, body[:-1], None)
