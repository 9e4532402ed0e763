"""A real Spark on two cores, over pages of synthetic sites: its results equal the command's."""

from __future__ import annotations

import gzip
import io
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from command import Mainblock
from hypothesis import given
from hypothesis import strategies as st
from pages import read_rows, rows, site, write_rows
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from scrapy_mainblock.render.article import FIELDS
from scrapy_mainblock.stores.documents import site_from_text

pytest.importorskip("pyspark", reason='pip install "scrapy-mainblock[spark]"')

import pyarrow as pa

from scrapy_mainblock.scale.spark import job
from scrapy_mainblock.scale.spark.files import pages_of
from scrapy_mainblock.scale.spark.learning import Smallest, order_of
from scrapy_mainblock.spark import extract, learn

HOSTS = ["a.example", "b.example", "c.example"]
SURROGATE = (
    '<script type="application/ld+json">{"@type": "NewsArticle", "description": "A \\ud83d b"}'
    "</script><h1>A title</h1><p>Some words of a text, which go on for a while.</p>"
)
ODD = [
    {"id": "empty", "url": "http://a.example/empty", "html": "<p></p>"},
    {"id": "nothing", "url": "http://a.example/nothing", "html": None},
    {"id": "zip", "url": "http://b.example/zip", "html": "PK\x03\x04\x00\x00\x00" * 50},
    {"id": "surrogate", "url": "http://d.example/surrogate", "html": SURROGATE},
    {"id": None, "url": None, "html": site(1)[0][0]},
]
SCHEMA = "id string, url string, site string, html string"


def some_rows(pages: int = 8) -> list[dict[str, Any]]:
    """Return pages of several one-template sites and some odd pages; each id is the page's URL."""
    found = [one for host in HOSTS for one in rows(site(pages, host=host))]
    return [{**one, "id": one["url"]} for one in found] + ODD


def frame(spark: Any, some: list[dict[str, Any]], partitions: int = 2) -> Any:
    columns = [tuple(one.get(name) for name in ("id", "url", "site", "html")) for one in some]
    return spark.createDataFrame(columns, SCHEMA).repartition(partitions)


def as_dicts(articles: Any) -> list[dict[str, Any]]:
    return [row.asDict(recursive=True) for row in articles.collect()]


def by_id(found: list[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """Return rows of Spark or of the command by id, without Spark's extra column `error`."""
    without = [{key: value for key, value in row.items() if key != "error"} for row in found]
    assert len({str(row["id"]) for row in without}) == len(without)
    return {str(row["id"]): row for row in without}


def warc_of(some: list[dict[str, Any]], *, packed: bool = False) -> bytes:
    stream = io.BytesIO()
    writer = WARCWriter(stream, gzip=packed)
    for row in some:
        head = StatusAndHeaders("200 OK", [("Content-Type", "text/html")], protocol="HTTP/1.1")
        payload = io.BytesIO(row["html"].encode())
        record = writer.create_warc_record(row["url"], "response", payload, http_headers=head)
        writer.write_record(record)
    return stream.getvalue()


# --- learning and extracting --------------------------------------------------------------------


def test_results_equal_those_of_the_command(
    spark: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Use the order in which Spark learns, because a cluster is named after its first page."""
    some = sorted(some_rows(), key=lambda row: order_of(row["url"], row["html"]))
    pages, out = write_rows(tmp_path / "in.jsonl", some), tmp_path / "out.jsonl"
    Mainblock(capsys)("extract", pages, "-o", out)
    frames = frame(spark, some)
    found = as_dicts(extract(frames, learn(frames)))
    commands = by_id(json.loads(json.dumps(read_rows(out)).replace("\\ud83d", "\\\\ud83d")))
    assert by_id(found) == commands
    methods = [row["metadata"]["method"] for row in found]
    assert methods.count("rule") >= len(HOSTS) * 8
    assert {row["id"] for row in found if row["error"]} == {"nothing", "zip"}


def test_the_columns_are_those_of_an_article(spark: Any) -> None:
    pages = spark.createDataFrame([(7, "<p>x")], "id long, html string")
    articles = extract(pages)
    assert articles.columns == ["id", "url", "site", *[n for n in FIELDS if n != "url"], "error"]
    assert dict(articles.dtypes)["id"] == "bigint"
    assert articles.first().id == 7


def test_pages_can_be_bytes_with_a_site_column(spark: Any) -> None:
    some = [(html.encode(), url, "own") for html, url in site(8)]
    pages = spark.createDataFrame(some, "html binary, url string, site string")
    learnt = learn(pages)
    assert [(row.site, row.pages) for row in learnt.collect()] == [("own", 8)]
    found = as_dicts(extract(pages, learnt))
    assert {(row["site"], row["metadata"]["method"]) for row in found} == {("own", "rule")}


def test_missing_columns_are_refused(spark: Any) -> None:
    with pytest.raises(TypeError, match="html"):
        learn(spark.createDataFrame([("x",)], "source string"))
    with pytest.raises(ValueError, match="per_site"):
        learn(spark.createDataFrame([("x",)], "html string"), per_site=0)


def test_learned_rules_do_not_depend_on_the_partitions(spark: Any) -> None:
    some = [*rows(site(30)), *rows(site(9, host="b.example"))]

    def learnt(partitions: int) -> list[Any]:
        return sorted(learn(frame(spark, some, partitions), per_site=12).collect())

    once = learnt(1)
    assert [(row.site, row.pages) for row in once] == [("b.example", 9), ("news.example", 12)]
    assert learnt(5) == once
    assert site_from_text(once[1].document).templates[0].pages == 12


def test_rules_are_sort_merge_joined_and_never_broadcast(spark: Any) -> None:
    pages = frame(spark, some_rows())
    rules = spark.range(3).selectExpr("concat(id, '.example') AS site", "'{}' AS document")
    plan = extract(pages, rules)._jdf.queryExecution().executedPlan().toString()
    assert "SortMergeJoin" in plan
    assert "Broadcast" not in plan


def test_a_giant_site_is_split_among_tasks(spark: Any) -> None:
    """Spark splits skewed partitions of a join at run time; our plan must not prevent that."""
    skew = "spark.sql.adaptive.skewJoin.skewedPartition"
    settings = {
        "spark.sql.shuffle.partitions": "5",
        "spark.sql.adaptive.advisoryPartitionSizeInBytes": "2k",
        f"{skew}ThresholdInBytes": "2k",
        f"{skew}Factor": "2",
    }
    before = {key: spark.conf.get(key) for key in settings}
    some = [*rows(site(60, host="giant.example")), *rows(site(2))]
    rules = spark.range(3).selectExpr("concat(id, '.example') AS site", "'{}' AS document")
    try:
        for key, value in settings.items():
            spark.conf.set(key, value)
        articles = extract(frame(spark, some, 4), rules)
        assert len(articles.collect()) == len(some)
        plan = articles._jdf.queryExecution().executedPlan().toString()
    finally:
        for key, value in before.items():
            spark.conf.set(key, value)
    assert "SortMergeJoin(skew=true)" in plan


def test_rules_of_a_store_need_no_shuffle(
    spark: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    some = rows(site(8))
    Mainblock(capsys)(
        "learn", write_rows(tmp_path / "in.jsonl", some), "--rules", tmp_path / "rules"
    )
    pages = spark.createDataFrame([(one["url"], one["html"]) for one in some],
                                  "url string, html string")  # fmt: skip
    articles = extract(pages, tmp_path / "rules")
    assert "Exchange" not in articles._jdf.queryExecution().executedPlan().toString()
    assert {row["metadata"]["method"] for row in as_dicts(articles)} == {"rule"}


def test_pages_with_damaged_rules_get_an_error(spark: Any) -> None:
    rules = spark.createDataFrame([("a.example", "{")], "site string, document string")
    found = as_dicts(extract(frame(spark, some_rows()), rules))
    assert len(found) == len(some_rows())
    of_site = [row for row in found if row["site"] == "a.example" and row["id"] != "nothing"]
    assert all("cannot be used" in row["error"] for row in of_site)
    assert {row["metadata"]["method"] for row in of_site} == {"page", "none"}


@given(st.lists(st.integers(), unique=True), st.integers(1, 5))
def test_the_smallest_orders_always_pass(orders: list[int], per_site: int) -> None:
    smallest = Smallest(per_site)
    passed = [one for one in orders if smallest.may_be_one("s", one)]
    assert set(sorted(orders)[:per_site]) <= set(passed)


def test_a_giant_site_passes_few_pages_to_its_task() -> None:
    smallest = Smallest(20)
    passed = sum(
        smallest.may_be_one("giant", order_of(f"http://giant.example/{one}", None))
        for one in range(100_000)
    )
    assert 20 <= passed < 300  # 20 * (1 + ln(5000)) = 190


def test_evicted_sites_pass_all_pages_again() -> None:
    smallest = Smallest(1, most_sites=2)
    assert all(smallest.may_be_one(name, 5) for name in "abcd")
    assert not smallest.may_be_one("d", 6)
    assert smallest.may_be_one("a", 6)


# --- the job ------------------------------------------------------------------------------------


def split(tmp_path: Path, some: list[dict[str, Any]]) -> Path:
    folder = tmp_path / "in"
    folder.mkdir()
    for number in range(3):
        write_rows(folder / f"{number}.jsonl", some[number::3])
    return folder


def articles_in(spark: Any, out: Path) -> list[dict[str, Any]]:
    found = as_dicts(spark.read.parquet(str(out / "articles")).drop("part"))
    return sorted(found, key=lambda row: str(row["id"]))


def test_an_interrupted_job_is_resumed(
    spark: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    some, out = some_rows(), tmp_path / "out"
    folder = split(tmp_path, some)
    with (folder / "0.jsonl").open("ab") as stream:
        stream.write(b'{"html": \xff\n\n')
    arguments = [str(folder), str(out), "--files-at-once", "1"]
    assert job.main(arguments) == 0
    found = articles_in(spark, out)
    assert len(found) == len(some) + 1
    assert sum("not JSON" in (row["error"] or "") for row in found) == 1
    assert capsys.readouterr().err.splitlines()[0].startswith("part=00000: ")

    (out / "articles/part=00001/_SUCCESS").unlink()
    kept = {file: file.stat().st_mtime_ns for file in out.rglob("part=0000[02]/*.parquet")}
    assert len(kept) >= 2
    assert job.main(arguments) == 0
    assert [line.split(":")[0] for line in capsys.readouterr().err.splitlines()] == ["part=00001"]
    assert kept == {file: file.stat().st_mtime_ns for file in kept}
    assert articles_in(spark, out) == found

    assert job.main([*arguments, "--per-site", "6"]) == 2
    assert "different per_site" in capsys.readouterr().err


def test_a_job_gives_the_same_results_for_warc_and_parquet(spark: Any, tmp_path: Path) -> None:
    some = [one for one in some_rows() if one["html"] and one["url"]]
    (tmp_path / "in.warc.gz").write_bytes(warc_of(some, packed=True)[:-9])
    frame(spark, some[:-1], 1).write.parquet(str(tmp_path / "in"))
    found = {}
    for name in ("in.warc.gz", "in"):
        out = tmp_path / f"{name}.out"
        assert job.main([str(tmp_path / name), str(out)]) == 0
        found[name] = {
            row["url"]: (row["articleBody"], row["error"]) for row in articles_in(spark, out)
        }
    (body, error) = found["in.warc.gz"].pop(None)  # reported for the truncated archive
    assert body is None
    assert "in.warc.gz: cut off" in error
    assert found["in.warc.gz"] == found["in"]


def test_a_job_writes_json_lines_with_every_column(spark: Any, tmp_path: Path) -> None:
    pages = write_rows(tmp_path / "in.jsonl", ODD)
    assert job.main([str(pages), str(tmp_path / "out"), "--format", "jsonl", "--no-learn"]) == 0
    files = list(tmp_path.glob("out/articles/part=*/*.json"))
    found = [row for file in files for row in read_rows(file)]
    assert len(found) == len(ODD)
    assert all({"id", "url", "site", "error", *FIELDS} == set(row) for row in found)


def test_the_batches_of_a_job_are_limited_in_bytes(
    spark: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file that cannot be split is one partition, however many pages it has."""
    pages = [{**one, "html": one["html"] + "<!--" + "x" * 50_000} for one in rows(site(60))]
    file = tmp_path / "giant.jsonl.gz"
    file.write_bytes(gzip.compress(write_rows(tmp_path / "giant.jsonl", pages).read_bytes()))

    # A local function, because workers get it pickled by value.
    def octets_of_batches(batches: Any) -> Any:
        for batch in batches:
            yield pa.RecordBatch.from_pydict({"octets": [batch.nbytes]})

    def largest() -> int:
        sizes = pages_of(spark, "jsonl", [str(file)]).mapInArrow(octets_of_batches, "octets long")
        return max(row.octets for row in sizes.collect())

    before = {key: spark.conf.get(key, None) for key in job.BATCHES}
    monkeypatch.setitem(job.BATCHES, "spark.sql.execution.arrow.maxBytesPerBatch", 400_000)
    try:
        assert largest() > 2_000_000
        job.bound_batches(spark)
        assert largest() < 600_000
    finally:
        for key, value in before.items():
            spark.conf.unset(key) if value is None else spark.conf.set(key, value)


@pytest.mark.parametrize(
    ("names", "why"),
    [(["missing.jsonl"], "no such file"), (["a.txt"], "no pages"),
     (["a.jsonl", "a.parquet"], "several kinds")],
)  # fmt: skip
def test_a_job_reports_unreadable_inputs(
    names: list[str], why: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("a.txt", "a.jsonl", "a.parquet"):
        (tmp_path / name).touch()
    assert job.main([*(str(tmp_path / name) for name in names), str(tmp_path / "out")]) == 2
    assert why in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("words", [["s3a://bucket/in", "out"], ["in.jsonl", "hdfs://name/out"]])
def test_object_store_addresses_are_refused_and_create_no_directory(
    words: list[str],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "in.jsonl").touch()
    assert job.main(words) == 2
    assert "call `learn` and `extract` in your own program" in capsys.readouterr().err
    assert [file.name for file in tmp_path.iterdir()] == ["in.jsonl"]


def test_missing_rules_are_reported_before_anything_is_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.jsonl").touch()
    words = [str(tmp_path / "a.jsonl"), str(tmp_path / "out"), "--rules", str(tmp_path / "typo")]
    assert job.main(words) == 2
    assert "typo" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_a_job_reports_that_java_is_missing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert job.main(["in.jsonl", str(tmp_path / "out")]) == 2
    assert job.NO_JAVA in capsys.readouterr().err


def test_a_missing_extra_raises_an_error_with_the_install_command() -> None:
    code = "import sys\nsys.modules['pyspark'] = None\nimport scrapy_mainblock.spark"
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 1
    assert 'pip install "scrapy-mainblock[spark]"' in done.stderr.splitlines()[-1]
