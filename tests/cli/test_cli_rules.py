"""`mainblock rules`: list, show, test, pin, export and import."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest
from command import Mainblock, run
from pages import read_rows, rows, site, story, told, write_rows

SITE = site(8)


@pytest.fixture
def kept(mainblock: Mainblock, tmp_path: Path) -> Path:
    """A directory with the rule of one site."""
    file = write_rows(tmp_path / "in.jsonl", rows(SITE))
    mainblock("learn", file, "--rules", tmp_path / "rules")
    return tmp_path / "rules"


def cluster(kept: Path, site: str = "news.example") -> dict:
    return json.loads((kept / f"{site}.json").read_text())["clusters"][0]


def test_list_has_a_line_for_each_rule(mainblock: Mainblock, kept: Path) -> None:
    mainblock("rules", "pin", "b.example", "--class", "entry post", "--rules", kept)
    result = mainblock("rules", "list", "--rules", kept)
    head, *lines = [line.split(maxsplit=6) for line in result.out.splitlines()]
    assert head == ["site", "cluster", "pages", "agreement", "loss", "version", "rule"]
    assert lines == [
        ["b.example", "site", "0", "pinned", "-", "1", 'class="entry post"'],
        [
            "news.example",
            cluster(kept)["cluster"],
            "8",
            "1.00",
            "0.01",
            "1",
            "id=content path=body1/div2/div1",
        ],
    ]


def test_show_prints_the_document(mainblock: Mainblock, kept: Path) -> None:
    result = mainblock("rules", "show", "news.example", "--rules", kept)
    assert result.out == (kept / "news.example.json").read_text()


def test_test_counts_the_outcomes_by_cluster(
    mainblock: Mainblock, kept: Path, tmp_path: Path
) -> None:
    pages = [story(50), story(51, attributes='id="x"', body=0), story(52, url="http://b.example/")]
    file = write_rows(tmp_path / "try.jsonl", rows(pages))
    result = mainblock("rules", "test", file, "--rules", kept)
    name = cluster(kept)["cluster"]
    lines = result.out.splitlines()
    assert f"news.example  {name}  hit: 1" in lines
    assert "b.example  -  no cluster matches: 1" in lines
    assert lines[-1] == "1 of 3 pages by rule"
    assert result.code == 0


def test_test_hints_at_the_site_of_pages_that_do_not_name_it(
    mainblock: Mainblock, kept: Path, tmp_path: Path
) -> None:
    file = tmp_path / "page.html"
    file.write_text(story(50)[0])
    result = mainblock("rules", "test", file, "--rules", kept)
    assert result.out.splitlines()[-1] == "0 of 1 pages by rule"
    assert "(news.example): use --site to name its site" in result.err
    result = mainblock("rules", "test", file, "--rules", kept, "--site", "news.example")
    assert (result.out.splitlines()[-1], result.err) == ("1 of 1 pages by rule", "")
    result = mainblock("explain", file, "--rules", kept)
    assert "use --site to name its site" in result.err
    assert mainblock("explain", file, "--rules", kept, "--site", "news.example").err == ""


def test_test_names_an_unreadable_input(mainblock: Mainblock, kept: Path, tmp_path: Path) -> None:
    result = mainblock("rules", "test", tmp_path / "gone.jsonl", "--rules", kept)
    assert result.code == 1
    assert "no such file" in result.err


def test_a_pinned_rule_is_used_and_not_changed_by_learning(
    mainblock: Mainblock, kept: Path, tmp_path: Path
) -> None:
    result = mainblock("rules", "pin", "news.example", "--class", "comments", "--rules", kept)
    assert result.out == (
        "pinned: news.example site class=comments (not tested; use --pages IN to test it)\n"
    )
    pinned = cluster(kept)
    assert (pinned["cluster"], pinned["pinned"], pinned["structure"]) == ("site", True, "")

    file, out = write_rows(tmp_path / "in.jsonl", rows(SITE)), tmp_path / "out.jsonl"
    mainblock("extract", file, "-o", out, "--rules", kept)
    assert {row["articleBody"] for row in read_rows(out)} == {told(15, "comment")}
    assert cluster(kept) == pinned


def test_a_cluster_is_pinned_with_its_own_or_another_rule(mainblock: Mainblock, kept: Path) -> None:
    name = cluster(kept)["cluster"]
    options = ("rules", "pin", "news.example", "--cluster", name, "--rules", kept)
    assert mainblock(*options).code == 0
    assert cluster(kept)["pinned"] is True
    assert (cluster(kept)["rule"]["id"], cluster(kept)["version"]) == ("content", 1)
    assert mainblock(*options, "--path", "body1/div3").code == 0
    assert (cluster(kept)["rule"], cluster(kept)["version"]) == ({"path": "body1/div3"}, 2)
    assert [one["rule"]["id"] for one in cluster(kept)["history"]] == ["content"]
    assert cluster(kept)["structure"]


def test_a_rule_can_be_pinned_before_any_learning(mainblock: Mainblock, tmp_path: Path) -> None:
    kept = tmp_path / "new"
    assert mainblock("rules", "pin", "a.example", "--id", "x", "--rules", kept).code == 0
    assert cluster(kept, "a.example")["rule"] == {"id": "x"}


def test_exported_rules_can_be_imported(mainblock: Mainblock, kept: Path, tmp_path: Path) -> None:
    mainblock("rules", "pin", "京.example", "--id", "é", "--rules", kept)
    file, other = tmp_path / "all.jsonl", tmp_path / "other"
    assert mainblock("rules", "export", file, "--rules", kept).out == f"2 sites in {file}\n"
    result = mainblock("rules", "import", file, "--rules", other)
    assert result.out == f"2 sites merged into {other}\n"
    documents = [
        {one.name: one.read_bytes() for one in where.glob("*.json")} for where in (kept, other)
    ]
    assert documents[0] == documents[1]
    assert len(documents[0]) == 2


def test_rules_saved_under_a_folder_name_print_a_notice(
    mainblock: Mainblock, tmp_path: Path
) -> None:
    folder, kept = tmp_path / "saved pages", tmp_path / "rules"
    folder.mkdir()
    for number, (html, _) in enumerate(SITE):
        (folder / f"{number}.html").write_text(html)
    said = (
        "mainblock: the pages in the folder saved pages have no URLs: their rules are saved under"
        " its name, and apply with --site saved pages or to pages in a folder of this name\n"
    )
    out = tmp_path / "out.jsonl"
    for command in (("learn",), ("extract", "-o", out)):
        learnt = mainblock(*command, folder, "--rules", kept)
        assert (learnt.code, learnt.err) == (0, said)
    assert mainblock("extract", folder, "-o", out).err == ""
    named = ("extract", folder, "-o", out, "--rules", kept, "--site", "news.example")
    assert mainblock(*named).err == ""
    assert {row["site"] for row in read_rows(out)} == {"news.example"}
    found = ("extract", folder / "1.html", "--rules", kept, "--site", "saved pages")
    assert json.loads(mainblock(*found, "--format", "jsonl").out)["metadata"]["method"] == "rule"


@pytest.mark.parametrize("first", ["www.news.com", "news.com"])
def test_an_import_names_host_rules_that_override_their_domain(
    mainblock: Mainblock, tmp_path: Path, first: str
) -> None:
    """The order of the imports does not matter, and uninvolved domains are not mentioned."""
    store, other = tmp_path / "rules", tmp_path / "other"
    (second,) = {"www.news.com", "news.com"} - {first}
    for site_name, where in ((first, store), (second, other), ("a.else.com", store)):
        assert mainblock("rules", "pin", site_name, "--id", "x", "--rules", where).code == 0
    mainblock("rules", "pin", "else.com", "--id", "x", "--rules", store)
    file = tmp_path / "other.jsonl"
    mainblock("rules", "export", file, "--rules", other)
    imported = mainblock("rules", "import", file, "--rules", store)
    assert imported.out.splitlines() == [
        f"1 sites merged into {store}",
        "www.news.com: the rules of news.com (1 pinned) do not apply to its pages",
    ]
    assert imported.code == 0


def test_export_and_import_work_through_a_pipe(kept: Path, tmp_path: Path) -> None:
    exported = run("rules", "export", "--rules", kept)
    imported = run("rules", "import", "--rules", tmp_path / "other", stdin=exported.stdout)
    assert (exported.returncode, imported.returncode) == (0, 0)
    assert (tmp_path / "other" / "news.example.json").read_bytes() == (
        kept / "news.example.json"
    ).read_bytes()


def test_an_import_keeps_a_pinned_rule_and_names_refused_lines(
    mainblock: Mainblock, kept: Path, tmp_path: Path
) -> None:
    file = tmp_path / "all.jsonl"
    mainblock("rules", "export", file, "--rules", kept)
    name = cluster(kept)["cluster"]
    mainblock("rules", "pin", "news.example", "--cluster", name, "--id", "mine", "--rules", kept)
    file.write_text("{\n\n" + '{"format": 3}\n' + file.read_text())
    result = mainblock("rules", "import", file, "--rules", kept)
    assert result.code == 1
    assert [line.split(": ")[1] for line in result.err.splitlines()] == [
        f"{file}, line 1",
        f"{file}, line 3",
    ]
    assert cluster(kept)["rule"] == {"id": "mine"}


def test_pin_does_not_overwrite_a_document_of_a_later_version(
    mainblock: Mainblock, tmp_path: Path
) -> None:
    newer = '{"format": 3}'
    (tmp_path / "news.example.json").write_text(newer)
    result = mainblock("rules", "pin", "news.example", "--id", "x", "--rules", tmp_path)
    assert result.code == 2
    assert (tmp_path / "news.example.json").read_text() == newer


@pytest.mark.parametrize(
    "arguments",
    [
        ("pin", "news.example"),
        ("pin", "news.example", "--cluster", "none-such"),
        ("pin", "news.example", "--path", "//div"),
        ("show", "none.example"),
        ("import", "gone.jsonl"),
        ("export", "no/such/directory/file"),
        (),
        ("no-such-action",),
        ("list", "--no-such"),
    ],
)
def test_wrong_usage_gives_a_one_line_error(
    mainblock: Mainblock, kept: Path, arguments: tuple[str, ...]
) -> None:
    options = ("--rules", kept) if arguments else ()
    result = mainblock("rules", *arguments, *options)
    assert result.code == 2
    assert len(result.err.splitlines()) == 1


def test_a_missing_rules_directory_is_wrong_usage(mainblock: Mainblock, tmp_path: Path) -> None:
    for arguments in (("list",), ("show", "x"), ("export",), ("test", "x.jsonl")):
        result = mainblock("rules", *arguments, "--rules", tmp_path / "none")
        assert result.code == 2
        assert "mainblock learn" in result.err
    assert not (tmp_path / "none").exists()


def test_a_name_that_the_terminal_cannot_encode_is_not_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONIOENCODING", "ascii")
    line = '{"format": 2, "site": "\\ud800京", "clusters": [{"cluster": "x", "rule": {"id": "é"}}]}'
    assert run("rules", "import", "--rules", tmp_path, stdin=line.encode()).returncode == 0
    for arguments in (("list",), ("export",)):
        result = run("rules", *arguments, "--rules", tmp_path)
        assert result.returncode == 0
        assert result.stderr == b""


def test_an_import_from_standard_input_in_process(
    mainblock: Mainblock, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"\n")))
    assert mainblock("rules", "import", "--rules", tmp_path / "r").out.startswith("0 sites")
