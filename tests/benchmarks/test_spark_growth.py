"""The pages and figures of the Spark benchmark, tested without running Spark."""

from __future__ import annotations

import json
from pathlib import Path
from urllib.parse import urlsplit

import pytest

pytest.importorskip("pyspark", reason='pip install "scrapy-mainblock[spark]"')

from benchmarks import spark


def test_one_site_has_a_fifth_of_the_pages_and_each_enough_for_a_rule() -> None:
    sizes = spark.sizes(10_000, 200)
    assert len(sizes) == 200
    assert sum(sizes) == pytest.approx(10_000, rel=0.05)
    assert max(sizes) == sizes[0] == 2000
    assert min(sizes) == spark.LEAST
    assert sizes[1:] == sorted(sizes[1:], reverse=True)


def test_pages_of_a_site_are_in_all_files(tmp_path: Path) -> None:
    count = spark.write_pages(tmp_path / "in", 120, 4)
    files = sorted((tmp_path / "in").iterdir())
    found = [[json.loads(line) for line in file.open()] for file in files]
    assert len(files) == spark.FILES
    assert sorted(row["id"] for of_file in found for row in of_file) == list(range(count))
    hosts = [{urlsplit(row["url"]).hostname for row in of_file} for of_file in found]
    assert all("site0.example" in of_file for of_file in hosts)


def test_shuffle_is_split_at_the_time_the_rules_were_ready(tmp_path: Path) -> None:
    def task(octets: int, end: float) -> dict[str, object]:
        metrics = {"Shuffle Write Metrics": {"Shuffle Bytes Written": octets}}
        info = {"Finish Time": 1000 * end}
        return {"Event": "SparkListenerTaskEnd", "Task Info": info, "Task Metrics": metrics}

    failed = {"Event": "SparkListenerTaskEnd", "Task Info": {"Finish Time": 1}}
    events = [{"Event": "SparkListenerJobEnd"}, task(10**6, 8), task(10**6, 9), failed,
              task(5 * 10**6, 11)]  # fmt: skip
    log = tmp_path / "log"
    log.write_text("".join(json.dumps(one) + "\n" for one in events))
    assert spark.shuffled(log, 10) == (2, 5)
