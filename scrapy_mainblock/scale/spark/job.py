"""The job: `python -m scrapy_mainblock.spark IN... OUT`, resumable by partition.

    OUT/job.json              the job's inputs and options; a job with other ones is refused
    OUT/rules/                the table of rules, unless they come from elsewhere
    OUT/articles/part=00000/  the articles of the first files, and so on

Spark marks complete output (`_SUCCESS`); a job that is started again does the rest.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pyspark.sql import DataFrame, Observation, SparkSession
from pyspark.sql import functions as F  # noqa: N812

from scrapy_mainblock.inputs.warc import INSTALL
from scrapy_mainblock.scale import PAGES_OF_A_SITE
from scrapy_mainblock.scale.spark.extraction import extract
from scrapy_mainblock.scale.spark.files import NoPagesError, files_of, pages_of, path_of
from scrapy_mainblock.scale.spark.learning import learn
from scrapy_mainblock.stores.addresses import AddressError, is_server
from scrapy_mainblock.stores.rules import store_to_read
from scrapy_mainblock.stores.whole_files import whole_file

DONE, WRONG_USAGE = 0, 2
FILES_AT_ONCE = 64
"""The number of input files per partition of the output: the most that a killed job loses."""
BATCHES = {
    "spark.sql.execution.arrow.maxRecordsPerBatch": 1000,
    "spark.sql.execution.arrow.maxBytesPerBatch": 64_000_000,
}
"""Limits on a batch that Spark passes to a Python worker, unless the operator has set them. Spark's
default is 10,000 pages, in the JVM and in the worker: a gigabyte for pages of 100 KB, however the
pages are partitioned. (Before Spark 4.1 only the rows are counted.)"""
NO_JAVA = "Spark needs Java, 17 or later: apt-get install default-jre-headless, or set JAVA_HOME"
_NO_REST = "{} belongs to another job: {}. Name another directory, or remove it"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the job in spark-submit's session, or in a local one; return the exit code."""
    options = _parser().parse_args(arguments)
    if not has_java():
        return _refuse(NO_JAVA)
    try:
        kind, files = files_of(options.inputs)
        if kind == "warc" and importlib.util.find_spec("fastwarc") is None:
            return _refuse(INSTALL)
        if options.rules is not None:
            store_to_read(options.rules)  # check it before the job writes anything
            if not is_server(options.rules):
                # Workers may run in another directory of this machine than the job.
                options.rules = str(Path(options.rules).resolve())
        out = path_of(options.out).resolve()
        _begin(out, {"files": files, **_settings(options)})
    except (NoPagesError, OtherJobError, AddressError, OSError) as error:
        return _refuse(str(error))
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    spark = SparkSession.builder.appName("mainblock").getOrCreate()
    bound_batches(spark)
    run(spark, kind, files, out, options)
    return DONE


def _refuse(why: str) -> int:
    sys.stderr.write(f"mainblock: {why}\n")
    return WRONG_USAGE


def has_java() -> bool:
    """Return whether Java is found, without which Spark cannot start."""
    return bool(os.environ.get("JAVA_HOME") or shutil.which("java"))


class OtherJobError(ValueError):
    """The output belongs to a job with other inputs or options."""


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m scrapy_mainblock.spark",
        description="Learn all sites' rules, then extract every page. A restarted job resumes.",
    )
    parser.add_argument(
        "inputs", nargs="+", metavar="IN", help="files of JSON lines, Parquet or WARC; directories"
    )
    parser.add_argument("out", metavar="OUT", help="a directory that all workers can reach")
    way = parser.add_mutually_exclusive_group()
    way.add_argument(
        "--rules", metavar="ADDRESS", help="use these rules instead of learning, without a shuffle"
    )
    way.add_argument(
        "--no-learn", dest="learn", action="store_false", help="extract each page without rules"
    )
    parser.add_argument("--per-site", type=_from_one, default=PAGES_OF_A_SITE, metavar="N",
                        help="pages of a site to learn from (default: %(default)s)")  # fmt: skip
    parser.add_argument("--format", choices=["parquet", "jsonl"], default="parquet")
    parser.add_argument("--markdown", action="store_true", help="fill articleBodyMarkdown as well")
    parser.add_argument("--files-at-once", type=_from_one, default=FILES_AT_ONCE, metavar="N",
                        help="input files per partition of OUT (default: %(default)s)")  # fmt: skip
    return parser


def _from_one(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("must be at least 1")
    return number


def _settings(options: argparse.Namespace) -> dict[str, Any]:
    return {key: value for key, value in vars(options).items() if key not in ("inputs", "out")}


def _begin(out: Path, job: dict[str, Any]) -> None:
    """Write the job's description; raises OtherJobError if the output belongs to another job."""
    description = out / "job.json"
    if description.exists():
        try:
            before = json.loads(description.read_text("utf-8"))
        except ValueError:
            raise OtherJobError(_NO_REST.format(out, "its job.json cannot be read")) from None
        other = [key for key in job if before.get(key) != job[key]]
        if other:
            raise OtherJobError(
                _NO_REST.format(out, f"it was started with different {', '.join(other)}")
            )
    elif out.exists() and any(out.iterdir()):
        raise OtherJobError(_NO_REST.format(out, "it contains files but no job.json"))
    else:
        out.mkdir(parents=True, exist_ok=True)
        with whole_file(description) as stream:
            stream.write(json.dumps(job, indent=2).encode() + b"\n")


def run(
    spark: SparkSession, kind: str, files: Sequence[str], out: Path, options: argparse.Namespace
) -> None:
    """Do the parts of the job that are not done yet."""
    rules: DataFrame | str | None = options.rules
    if rules is None and options.learn:
        table = out / "rules"
        if not _is_done(table):
            learnt = learn(pages_of(spark, kind, files), options.per_site)
            learnt.write.mode("overwrite").parquet(str(table))
        rules = spark.read.parquet(str(table))
    for number, start in enumerate(range(0, len(files), options.files_at_once)):
        part = out / "articles" / f"part={number:05d}"
        if not _is_done(part):
            some = pages_of(spark, kind, files[start : start + options.files_at_once])
            _write(extract(some, rules, markdown=options.markdown), part, options.format)


def bound_batches(spark: SparkSession) -> None:
    """Bound the memory that a batch of pages takes, unless the operator has done so."""
    conf = spark.sparkContext.getConf()
    for key, value in BATCHES.items():
        if not conf.contains(key):
            spark.conf.set(key, value)


def _is_done(folder: Path) -> bool:
    return (folder / "_SUCCESS").exists()


def _write(articles: DataFrame, part: Path, form: str) -> None:
    seen = Observation()
    counted = articles.observe(
        seen, F.count(F.lit(1)).alias("pages"), F.count("error").alias("errors")
    )
    writer = counted.write.mode("overwrite")
    if form == "parquet":
        writer.parquet(str(part))
    else:
        writer.option("ignoreNullFields", "false").json(str(part))
    pages, errors = seen.get["pages"], seen.get["errors"]
    sys.stderr.write(f"{part.name}: {pages} pages, {errors} of them with an error\n")
