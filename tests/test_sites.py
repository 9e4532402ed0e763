"""What site a URL is of."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_mainblock.core import sites
from scrapy_mainblock.core.sites import host, owner, registered_domain


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("http://News.Example.com:8080/a?b#c", "news.example.com"),
        ("https://user:pass@news.example/", "news.example"),
        (" http://news.example ", "news.example"),
        ("http://news.example./a", "news.example"),
        ("//cdn.example/x", "cdn.example"),
        ("http://[::1]:80/", "::1"),
        ("http://北京.example/", "北京.example"),
        ("http://[bad", ""),
        ("news.example/a", ""),
        ("file:///tmp/x", ""),
        ("mailto:a@b.c", ""),
        ("", ""),
        (None, ""),
    ],
)
def test_the_host_is_in_lower_case_without_its_port(url: str | None, expected: str) -> None:
    assert host(url) == expected


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("http://www.news.example.co.uk/a", "example.co.uk"),
        ("http://a.b.example.com", "example.com"),
        ("http://localhost/", "localhost"),
        ("http://127.0.0.1/", "127.0.0.1"),
        ("http://co.uk/", "co.uk"),
        # Domains under which anybody may have one are as good as public suffixes.
        ("http://www.evil.github.io/", "evil.github.io"),
        ("http://good.blogspot.com/", "good.blogspot.com"),
        (None, ""),
    ],
)
def test_the_registered_domain_is_one_below_the_public_suffix(
    url: str | None, expected: str
) -> None:
    assert registered_domain(url) == expected


LABELS = [
    *("www", "a", "b-c", "com", "uk", "co", "github", "io", "jp", "kawasaki", "city", "ck", "bd"),
    *(
        "amazonaws",
        "compute",
        "s3",
        "eu-west-1",
        "北京",
        "中国",
        "公司",
        "cn",
        "no-such",
        "COM",
        "1",
    ),
    *("platformsh", "site", "elb", "localhost", "xn--p1ai", "_x", "127", "0"),
]


@given(st.lists(st.sampled_from(LABELS), min_size=1, max_size=5).map(".".join))
def test_the_list_is_read_as_tldextract_reads_it(name: str) -> None:
    theirs = sites._suffixes().extract_str(name).top_domain_under_public_suffix
    assert owner(name) == (theirs or name)


def test_each_suffix_of_the_list_is_one() -> None:
    nodes = sites._nodes()
    assert nodes is not None
    for suffix, is_end in nodes.items():
        for name in (suffix, f"x.{suffix}", f"y.x.{suffix}"):
            plain = name.replace("*", "any").replace("!", "")
            theirs = sites._suffixes().extract_str(plain).top_domain_under_public_suffix
            assert owner(plain) == (theirs or plain), is_end


def test_without_the_list_tldextract_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sites, "_nodes", lambda: None)
    sites._domain_of.cache_clear()
    assert owner("www.example.co.uk") == "example.co.uk"
    sites._domain_of.cache_clear()


@given(st.text(max_size=60))
def test_no_text_is_an_error(url: str) -> None:
    assert isinstance(host(url), str)
    assert isinstance(registered_domain(f"http://{url}"), str)
