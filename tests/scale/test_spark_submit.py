"""The job as an operator starts it: spark-submit, zstd-compressed archives, two runs."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from command import Mainblock
from pages import read_rows, rows, site

pytest.importorskip("pyspark", reason='pip install "scrapy-mainblock[spark]"')

import pyarrow.parquet as pq
import pyspark
from fastwarc.stream_io import ZstdWriter
from test_spark import by_id, warc_of

import scrapy_mainblock.spark
from scrapy_mainblock.scale.spark.job import NO_JAVA, has_java
from scrapy_mainblock.scale.spark.learning import order_of

SUBMIT = Path(pyspark.__file__).parent / "bin" / "spark-submit"
SECONDS = 900
"""Timeout; on a busy machine the JVM alone takes a minute."""


def submit(*arguments: object) -> subprocess.CompletedProcess[str]:
    settings = ["spark.ui.enabled=false", "spark.driver.host=127.0.0.1",
                "spark.ui.showConsoleProgress=false", "spark.sql.shuffle.partitions=2",
                "spark.log.level=ERROR"]  # fmt: skip
    said = [word for one in settings for word in ("--conf", one)]
    command = [str(SUBMIT), "--master", "local[2]", *said, scrapy_mainblock.spark.__file__]
    environment = {**os.environ, "PYSPARK_PYTHON": sys.executable}
    environment["PYTHONPATH"] = os.pathsep.join(filter(None, [
        str(Path(scrapy_mainblock.__file__).parents[1]), os.environ.get("PYTHONPATH")
    ]))  # fmt: skip
    return subprocess.run(
        [*command, *map(str, arguments)],
        capture_output=True, text=True, check=False, timeout=SECONDS, env=environment,
    )  # fmt: skip


def _lines_about_parts(done: subprocess.CompletedProcess[str]) -> list[str]:
    """Return the job's lines about parts; spark-submit merges the driver's two streams."""
    lines = (done.stdout + done.stderr).splitlines()
    return [line for line in lines if line.startswith("part=")]


def articles_in(out: Path) -> list[dict[str, Any]]:
    files = sorted(out.glob("articles/part=*/*.parquet"))
    return [row for file in files for row in pq.ParquetFile(file).read().to_pylist(
        maps_as_pydicts="strict"
    )]  # fmt: skip


@pytest.mark.skipif(not has_java(), reason=NO_JAVA)
@pytest.mark.skipif(shutil.which("bash") is None, reason="spark-submit is a script of bash's")
def test_spark_submit_equals_the_command_and_resumes_a_job(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    # In the order in which Spark learns, because a cluster is named after its first page.
    some = sorted(
        (one for host in ("a.example", "b.example") for one in rows(site(8, host=host))),
        key=lambda row: order_of(row["url"], row["html"]),
    )
    for number in range(2):
        with (folder / f"{number}.warc.zst").open("wb") as stream:
            writer = ZstdWriter(stream)
            writer.write(warc_of(some[8 * number : 8 * number + 8]))
            writer.close()
    out = tmp_path / "out"
    done = submit(folder, out, "--files-at-once", 1)
    assert done.returncode == 0, done.stderr
    assert _lines_about_parts(done) == [
        f"part=0000{n}: 8 pages, 0 of them with an error" for n in range(2)
    ]

    by_command = tmp_path / "out.jsonl"
    assert Mainblock(capsys)("extract", folder, "-o", by_command).code == 0
    commands = by_id(read_rows(by_command))
    found = articles_in(out)
    assert by_id(found) == commands
    assert {row["metadata"]["method"] for row in found} == {"rule"}

    shutil.rmtree(out / "articles/part=00001")
    again = submit(folder, out, "--files-at-once", 1)
    assert again.returncode == 0, again.stderr
    assert [line.split(":")[0] for line in _lines_about_parts(again)] == ["part=00001"]
    assert by_id(articles_in(out)) == commands
