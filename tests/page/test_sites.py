"""The site of a URL: its host and registered domain."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_mainblock.page import sites
from scrapy_mainblock.page.sites import host, registered_domain


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("http://News.Example.com:8080/a?b#c", "news.example.com"),
        ("https://user:pass@news.example/", "news.example"),
        (" http://news.example ", "news.example"),
        ("http://news.example./a", "news.example"),
        ("//cdn.example/x", "cdn.example"),
        ("http://[::1]:80/", "::1"),
        ("http://北京.example/", "xn--1lq90i.example"),
        ("http://MÜLLER.example/a", "xn--mller-kva.example"),
        ("http://xn--mller-kva.example/a", "xn--mller-kva.example"),
        (f"http://{'ü' * 70}.example/", f"{'ü' * 70}.example"),  # too long for a label
        ("http://[bad", ""),
        ("news.example/a", ""),
        ("file:///tmp/x", ""),
        ("mailto:a@b.c", ""),
        ("", ""),
        (None, ""),
    ],
)
def test_host_is_in_lower_case_without_port(url: str | None, expected: str) -> None:
    assert host(url) == expected


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("http://www.news.example.co.uk/a", "example.co.uk"),
        ("http://a.b.example.com", "example.com"),
        ("http://localhost/", "localhost"),
        ("http://127.0.0.1/", "127.0.0.1"),
        ("http://co.uk/", "co.uk"),
        # Domains under which anyone can register a subdomain count as public suffixes.
        ("http://www.evil.github.io/", "evil.github.io"),
        ("http://good.blogspot.com/", "good.blogspot.com"),
        (None, ""),
    ],
)
def test_registered_domain_is_one_label_below_the_public_suffix(
    url: str | None, expected: str
) -> None:
    assert registered_domain(url) == expected


def test_public_suffix_list_can_be_preloaded(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sites._suffixes.cache_clear()
    sites.load_suffixes()

    def read(*_: object, **__: object) -> None:
        pytest.fail("it is read with the first name")

    monkeypatch.setattr("tldextract.tldextract.get_suffix_lists", read)
    assert registered_domain("http://first.asked-for.co.uk/") == "asked-for.co.uk"


@given(st.text(max_size=60))
def test_any_text_is_accepted_as_url(url: str) -> None:
    assert isinstance(host(url), str)
    assert isinstance(registered_domain(f"http://{url}"), str)


@given(
    st.lists(
        st.sampled_from(
            [*"http:// https:// // www. A b . - :80 @ / ? # [ ] _ é 1".split(), " ", "\n", "\t"]
        ),
        max_size=8,
    ).map("".join)
)
def test_shortcut_for_plain_urls_finds_the_same_host(url: str) -> None:
    found = host(url)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(sites, "_PLAIN", re.compile(r"(?!)"))
        assert found == host(url)
