"""Use together with projects, several spiders per process, scrapy-poet, shell, playwright."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from crawl.harness import BY_HAND, Crawler, python_path
from crawl.server import Server, body_of, story

RUN = [sys.executable, "-m", "scrapy"]


def _run(command: list[str], directory: Path) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": python_path()}
    return subprocess.run(
        command, cwd=directory, env=environment, capture_output=True, text=True, timeout=60
    )


def _project(directory: Path, settings: str) -> None:
    (directory / "scrapy.cfg").write_text("[settings]\ndefault = news.settings\n")
    (directory / "news").mkdir()
    (directory / "news" / "__init__.py").write_text("")
    (directory / "news" / "settings.py").write_text(
        "SPIDER_MODULES = ['news.spiders']\nTELNETCONSOLE_ENABLED = False\n" + settings
    )
    (directory / "news" / "spiders").mkdir()
    (directory / "news" / "spiders" / "__init__.py").write_text("")
    (directory / "news" / "spiders" / "news.py").write_text(
        textwrap.dedent(
            """
            from scrapy.linkextractors import LinkExtractor
            from scrapy.spiders import CrawlSpider, Rule

            class News(CrawlSpider):
                name = "news"
                rules = [Rule(LinkExtractor(allow="/page/"), callback="parse_page")]
                def __init__(self, url, **kwargs):
                    self.start_urls = [url]
                    super().__init__(**kwargs)
                def parse_page(self, response):
                    yield {"url": response.url}
            """
        )
    )


def test_the_addon_works_with_one_line_in_a_project(tmp_path: Path, site: Server) -> None:
    _project(tmp_path, 'ADDONS = {"scrapy_mainblock.Addon": 500}\n')
    command = [*RUN, "crawl", "news", "-a", f"url={site.url('/list/plain/9')}"]
    for _ in range(2):
        done = _run([*command, "-O", "articles.jsonl"], tmp_path)
        assert done.returncode == 0, done.stderr
        items = [json.loads(line) for line in (tmp_path / "articles.jsonl").open()]
        assert len(items) == 9
        for item in items:
            number = int(item["url"].rsplit("/", 1)[1])
            assert body_of(item["articleBody"]) == "\n\n".join(story(number))
    assert "mainblock/held" not in done.stderr  # the rules are in the project's .scrapy directory
    rules = tmp_path / ".scrapy" / "mainblock" / "rules"
    assert [path.name for path in rules.glob("*.json")] == ["127.0.0.1.json"]


WRONG = [
    ("MAINBLOCK_QUIET", "soon", "use a number of seconds >= 0"),
    ("MAINBLOCK_SITE", "no.such.callable", "use 'domain', 'host', or a callable"),
    ("MAINBLOCK_FIELDS", '{"body": "text"}', "use a dict from any of url, headline"),
    (
        "MAINBLOCK_FIELDS",
        '{"url": "a", "headline": "a"}',
        "(two results would go to the same field)",
    ),
    ("MAINBLOCK_ITEMS", "no.such.Item", "(No module named 'no')"),
]


@pytest.mark.parametrize(("name", "value", "allowed"), WRONG)
@pytest.mark.parametrize("components", [{}, BY_HAND], ids=["add-on", "by hand"])
def test_a_wrong_setting_prevents_the_start_of_a_crawl(  # noqa: PLR0917
    crawler: Crawler, site: Server, name: str, value: str, allowed: str, components: dict
) -> None:
    run = crawler.start(url=site.url("/list/plain/9"), settings={name: value, **components})
    crawled = run.wait()
    assert not run.reached
    (line,) = crawled.lines(f"mainblock: {name} = {value!r} is wrong: use ")
    assert allowed in line
    assert crawled.status == 1


def test_disabled_addon_leaves_items_alone(crawler: Crawler, site: Server) -> None:
    off = {"MAINBLOCK_ENABLED": "False"}
    crawled = crawler.crawl(url=site.url("/list/plain/9"), settings=off)
    assert len(crawled.items) == 9
    assert all(item.keys() == {"url"} for item in crawled.items)
    assert not crawled.lines("mainblock: ")


def test_several_spiders_in_one_process_keep_their_own_settings(
    tmp_path: Path, site: Server
) -> None:
    script = textwrap.dedent(
        f"""
        from pages import PagesSpider
        from scrapy.crawler import CrawlerProcess

        process = CrawlerProcess({{
            "ADDONS": {{"scrapy_mainblock.Addon": 500}},
            "TELNETCONSOLE_ENABLED": False,
        }})
        crawlers = []
        for number, fields in enumerate(({{"articleBody": "text"}}, {{"headline": "title"}})):
            class Own(PagesSpider):
                name = f"own{{number}}"
                custom_settings = {{
                    "FEEDS": {{f"{{number}}.jsonl": {{"format": "jsonlines"}}}},
                    "MAINBLOCK_FIELDS": fields,
                    "MAINBLOCK_RULES_DIR": "",
                }}
            crawlers.append(process.create_crawler(Own))
            process.crawl(crawlers[-1], url="{site.url("/list/plain/")}" + str(9 + number))
        process.start()
        print([crawler.stats.get_value("mainblock/pages") for crawler in crawlers])
        """
    )
    done = _run([sys.executable, "-c", script], tmp_path)
    assert done.stdout.strip() == "[10, 11]", done.stderr
    for number, field in enumerate(("text", "title")):
        items = [json.loads(line) for line in (tmp_path / f"{number}.jsonl").open()]
        assert len(items) == 9 + number
        assert all(item.keys() == {"url", field} for item in items)
    assert not (tmp_path / ".scrapy").exists()


def test_the_tag_is_available_in_the_shell(tmp_path: Path, site: Server) -> None:
    code = "print('tag', response.meta['mainblock']['link_blocks'])"
    command = [*RUN, "shell", site.url("/page/plain/1"), "-c", code]
    settings = ["-s", 'ADDONS={"scrapy_mainblock.Addon": 500}', "-s", "TELNETCONSOLE_ENABLED=0"]
    done = _run([*command, *settings], tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("tag [[")
    assert "Traceback" not in done.stderr


def test_scrapy_poet_items_are_filled(crawler: Crawler, site: Server) -> None:
    pytest.importorskip("scrapy_poet")
    addons = '{"scrapy_poet.Addon": 300, "scrapy_mainblock.Addon": 500}'
    crawled = crawler.crawl("poet", url=site.url("/list/plain/12"), settings={"ADDONS": addons})
    assert crawled.numbers == list(range(12))
    assert crawled.methods == {"rule": 12}
    assert {item["headline"] for item in crawled.items} == {f"Own {n}" for n in range(12)}


def test_scrapy_playwright_pages_are_extracted_after_scripts_ran(
    crawler: Crawler, site: Server
) -> None:
    pytest.importorskip("scrapy_playwright")
    browser = os.environ.get("CHROMIUM", "/usr/bin/chromium")
    if not Path(browser).exists():
        pytest.skip("no Chromium: install Debian's, or name one in CHROMIUM")
    handler = "scrapy_playwright.handler.ScrapyPlaywrightDownloadHandler"
    # Chromium would also look for updates; request nothing but the crawled pages.
    quietly = ["--no-sandbox", "--disable-background-networking", "--disable-component-update"]
    options = {"executable_path": browser, "args": quietly}
    settings = {
        "DOWNLOAD_HANDLERS": json.dumps({"http": handler}),
        "PLAYWRIGHT_LAUNCH_OPTIONS": json.dumps(options),
    }
    crawled = crawler.crawl("browser", url=site.url("/list/scripted/8"), settings=settings)
    assert crawled.methods == {"rule": 8}
    # The article was inserted by a script and is not in the page's source.
    assert [body_of(item["articleBody"]) for item in crawled.items] == [
        "\n\n".join(story(int(item["url"].rsplit("/", 1)[1]))) for item in crawled.items
    ]


def test_importing_the_package_does_not_import_scrapy() -> None:
    code = (
        "import sys, scrapy_mainblock\n"
        "assert not {'scrapy', 'twisted'} & set(sys.modules)\n"
        "scrapy_mainblock.Addon\n"
        "assert 'scrapy' in sys.modules"
    )
    assert subprocess.run([sys.executable, "-c", code], timeout=60).returncode == 0
