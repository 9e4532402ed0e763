"""Which settings locate the rules, and which settings of scrapy-redis are honored."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from redis_server import needs_redis_py
from scrapy.settings import Settings

from scrapy_mainblock.crawl.fleet.rules_address import rules_address
from scrapy_mainblock.crawl.settings import WrongSettingError, read_options, read_setting

pytestmark = needs_redis_py
OWN = "redis://:own@rules.example:7000/2"

ADDRESSES: list[tuple[dict[str, Any], str | None]] = [
    ({}, None),
    ({"JOBDIR": "job"}, str(Path("job/mainblock/rules"))),
    ({"MAINBLOCK_RULES_DIR": "kept"}, "kept"),
    ({"MAINBLOCK_RULES_DIR": "kept", "MAINBLOCK_RULES": "rules"}, "rules"),
    ({"MAINBLOCK_RULES": Path("rules")}, "rules"),
    ({"MAINBLOCK_RULES_DIR": "kept", "MAINBLOCK_RULES": ""}, None),
    ({"MAINBLOCK_RULES_DIR": "", "JOBDIR": "job"}, None),
    ({"MAINBLOCK_RULES_DIR": OWN}, OWN),
    # The password of scrapy-redis's server is not sent to any other server.
    ({"MAINBLOCK_RULES": OWN, "REDIS_PARAMS": {"password": "its"}, "REDIS_URL": "redis://q"}, OWN),
    ({"MAINBLOCK_RULES": "redis://"}, "redis://localhost:6379"),
    ({"MAINBLOCK_RULES": "redis:", "REDIS_URL": "redis://q:1/3"}, "redis://q:1/3"),
    (
        {"MAINBLOCK_RULES": "redis://?namespace=news", "REDIS_URL": "rediss://u:p@q/3?ssl_ca=x"},
        "rediss://u:p@q/3?namespace=news&ssl_ca=x",
    ),
    (
        {
            "MAINBLOCK_RULES": "redis://",
            "REDIS_HOST": "q.example",
            "REDIS_PORT": 7001,
            "REDIS_DB": 4,
            "REDIS_PARAMS": {"password": "p w", "socket_timeout": 30, "redis_cls": "x.Y"},
        },
        "redis://q.example:7001?password=p+w&db=4",
    ),
    ({"MAINBLOCK_RULES": "redis://", "REDIS_PARAMS": {"url": "redis://q/9"}}, "redis://q/9"),
]


@pytest.mark.parametrize(("settings", "address"), ADDRESSES)
def test_rules_address(settings: dict[str, Any], address: str | None) -> None:
    given = Settings(settings)
    rules = read_setting(given, "MAINBLOCK_RULES")
    rules_dir = read_setting(given, "MAINBLOCK_RULES_DIR")
    assert rules_address(rules, rules_dir, given) == address


def test_the_error_for_a_wrong_address_hides_the_password() -> None:
    settings = Settings({"MAINBLOCK_RULES": "redis://:secret@host:port/0"})
    with pytest.raises(WrongSettingError, match="Port could not be cast") as caught:
        read_setting(settings, "MAINBLOCK_RULES")
    assert "secret" not in str(caught.value)


def test_a_wrong_address_of_scrapy_redis_is_named_in_the_error(
    caplog: pytest.LogCaptureFixture,
) -> None:
    settings = Settings({"MAINBLOCK_RULES": "redis://", "REDIS_URL": "redis://q:port"})
    with pytest.raises(WrongSettingError, match="REDIS_URL = 'redis://q:port' is wrong"):
        read_options(settings)
    assert len(caplog.messages) == 1
