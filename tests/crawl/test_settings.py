"""Each setting: its default and allowed values, and that the docs match the code."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from scrapy.http import HtmlResponse
from scrapy.settings import Settings

from scrapy_mainblock.crawl.settings import (
    SETTINGS,
    Options,
    WrongSettingError,
    read_options,
    unknown_settings,
)

DOCS = Path(__file__).parents[2] / "docs" / "settings.md"
PAGE = HtmlResponse("https://news.example.co.uk/a")


def _options(**values: Any) -> Options:
    return Options.of(Settings({f"MAINBLOCK_{name}": value for name, value in values.items()}))


def a_callable(response: HtmlResponse) -> str:
    return "own"


RIGHT = [
    ("ENABLED", "0", "enabled", False),
    ("HOLD", "false", "hold", False),
    ("HOLD_PAGES", "5", "hold_pages", 5),
    ("MARKDOWN", "1", "markdown", True),
    ("OVERWRITE", True, "overwrite", True),
    ("QUIET", "2.5", "quiet", 2.5),
    ("QUIET", 0, "quiet", 0.0),
    ("RULES_DIR", Path("rules"), "rules_dir", "rules"),
    ("RULES_DIR", "", "rules_dir", ""),
    ("SITES", 1, "sites", 1),
    ("FIELDS", '{"articleBody": "text"}', "fields", {"articleBody": "text"}),
    ("FIELDS", {"url": None, "headline": "title"}, "fields", {"headline": "title"}),
    ("FIELDS", {}, "fields", {}),
]

WRONG = [
    ("ENABLED", "maybe"),
    ("HOLD", 2),
    ("HOLD_PAGES", 0),
    ("HOLD_PAGES", 1.5),
    ("HOLD_PAGES", True),
    ("QUIET", -1),
    ("QUIET", "nan"),
    ("QUIET", "inf"),
    ("QUIET", True),
    ("RULES", "reddis://host:6379/0"),
    ("RULES", "https://user:secret@rules.example/"),
    ("RULES_DIR", 3),
    ("RULES_DIR", False),
    ("SITE", "subdomain"),
    ("SITE", "no.such.module"),
    ("SITE", "os.path"),
    ("SITE", 3),
    ("SITES", "many"),
    ("FIELDS", {"body": "text"}),
    ("FIELDS", {"url": 1}),
    ("FIELDS", {"url": ""}),
    ("FIELDS", {"headline": "x", "articleBody": "x"}),
    ("FIELDS", "[]"),
    ("FIELDS", "{"),
    ("FIELDS", "[" * 100_000),
]


@pytest.mark.parametrize(("name", "value", "attribute", "read"), RIGHT)
def test_a_valid_value_is_read(name: str, value: Any, attribute: str, read: Any) -> None:
    assert getattr(_options(**{name: value}), attribute) == read


@pytest.mark.parametrize(("name", "value"), WRONG)
def test_the_error_for_a_wrong_value_states_the_allowed_values(name: str, value: Any) -> None:
    with pytest.raises(WrongSettingError) as caught:
        _options(**{name: value})
    assert caught.value.name == f"MAINBLOCK_{name}"
    assert SETTINGS[f"MAINBLOCK_{name}"].allowed in str(caught.value)
    assert "\n" not in str(caught.value)
    assert "secret" not in str(caught.value)


def test_a_file_as_the_rules_directory_is_refused_at_the_start(tmp_path: Path) -> None:
    (tmp_path / "rules").touch()
    settings = Settings({"MAINBLOCK_RULES": str(tmp_path / "rules")})
    with pytest.raises(WrongSettingError, match="use a directory, not a file"):
        read_options(settings)


@pytest.mark.parametrize(
    ("value", "site"),
    [
        ("domain", "example.co.uk"),
        ("host", "news.example.co.uk"),
        (a_callable, "own"),
        ("crawl.test_settings.a_callable", "own"),
    ],
)
def test_the_site_setting(value: Any, site: str) -> None:
    assert _options(SITE=value).site(PAGE) == site


def test_a_misspelled_setting_name_is_detected() -> None:
    settings = Settings({"MAINBLOCK_HODL": 1, "MAINBLOCK_HOLD": 1})
    assert unknown_settings(settings) == ["MAINBLOCK_HODL"]


def test_the_settings_page_matches_the_code() -> None:
    assert DOCS.read_text(encoding="utf-8") == settings_page()


def settings_page() -> str:
    """Return docs/settings.md; `python -m crawl.test_settings` in tests/ writes the file."""
    lines = [
        "# Settings",
        "",
        "This page lists all settings for Scrapy, with their defaults. All are optional. A wrong",
        "value stops the start of a crawl, with a line that says what is allowed; no other error",
        "does ([In Scrapy](scrapy.md)). This page is generated from the code by",
        "`cd tests && python -m crawl.test_settings`.",
        "",
    ]
    for name, setting in SETTINGS.items():
        default = setting.default
        shown = "every name to itself" if isinstance(default, dict) else f"`{default!r}`"
        lines += [
            f"## {name}",
            "",
            setting.purpose,
            "",
            f"Default: {shown}. Use {setting.allowed}.",
            "",
        ]
    return "\n".join(lines)


if __name__ == "__main__":
    DOCS.write_text(settings_page(), encoding="utf-8")
