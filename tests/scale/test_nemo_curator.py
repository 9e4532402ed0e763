"""The extractor as called by NeMo Curator's stages: it takes a record, returns one or None."""

from __future__ import annotations

import pickle
from pathlib import Path

from pages import site

from scrapy_mainblock import learn
from scrapy_mainblock.nemo_curator import ContentExtractor

PAGES = site(8)


def record(html: object, url: object) -> dict[str, object]:
    """Return a record as NeMo Curator's WARC reader makes them."""
    return {"content": html, "url": url, "warc_id": "w", "source_id": "a.warc.gz", "extra": 1}


def test_a_record_is_extracted_by_the_rules_of_its_site(tmp_path: Path) -> None:
    rules = tmp_path / "rules"
    learn(PAGES).save(rules)
    extractor = pickle.loads(pickle.dumps(ContentExtractor(str(rules))))  # as sent to workers
    for number, (html, url) in enumerate(PAGES):
        found = extractor.extract(record(html.encode(), url))
        assert found is not None
        assert list(found) == extractor.output_columns()
        assert found["url"] == url
        assert found["text"].split()[0].startswith(f"story{number}w")
        assert found["mainblock"]["method"] == "rule"
        assert set(extractor.input_columns()) <= set(record(html, url))


def test_a_record_without_content_is_dropped_or_kept() -> None:
    for html in (b"", "", None, b"PK\x03\x04" * 50, "<p>"):
        assert ContentExtractor().extract(record(html, None)) is None
        found = ContentExtractor(keep_empty=True).extract(record(html, None))
        assert found is not None
        assert (found["text"], found["mainblock"]["method"]) == ("", "none")
