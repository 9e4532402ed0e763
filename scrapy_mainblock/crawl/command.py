"""`scrapy mainblock ...`: the `mainblock` command, with a project's rules and settings."""

from __future__ import annotations

import argparse
from typing import Any

from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError
from scrapy.settings import BaseSettings
from scrapy.utils.project import inside_project

# Scrapy imports this module whenever it lists its commands. So the functions themselves import
# what they need.


class Command(ScrapyCommand):
    """Passes all its arguments to `mainblock`."""

    requires_crawler_process = False

    def syntax(self) -> str:
        """Return the usage line; called by Scrapy."""
        return "<subcommand> [options] [args]"

    def short_desc(self) -> str:
        """Return the description in Scrapy's list of commands."""
        return "Extract main content from pages; inspect, test and pin rules"

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Add none of Scrapy's options: without a prefix for options, every word is an argument."""
        parser.prefix_chars = ""
        parser.add_argument("words", nargs=argparse.REMAINDER)
        parser.set_defaults(profile=None)  # Scrapy reads this option of every command

    def process_options(self, args: list[str], opts: argparse.Namespace) -> None:
        """Do nothing, since no word was parsed as an option."""

    def run(self, args: list[str], opts: argparse.Namespace) -> None:  # noqa: ARG002
        """Run `mainblock` with the arguments, and set its exit code."""
        from scrapy_mainblock.cli.main import main  # noqa: PLC0415

        assert self.settings is not None
        rules_dir = _rules_of_project(self.settings) if inside_project() else None
        self.exitcode = main(
            opts.words, program="scrapy mainblock", rules_dir=rules_dir, fetch=self._fetch
        )

    def _fetch(self, url: str) -> Any:
        """Return the page at a URL as the project would fetch it."""
        from scrapy_mainblock.crawl.look.fetch import fetch  # noqa: PLC0415

        assert self.settings is not None
        return fetch(self.settings, url)


def _rules_of_project(settings: BaseSettings) -> str | None:
    from scrapy_mainblock.crawl.fleet.rules_address import rules_address  # noqa: PLC0415
    from scrapy_mainblock.crawl.settings import read_setting  # noqa: PLC0415

    try:
        rules, rules_dir = (
            read_setting(settings, name) for name in ("MAINBLOCK_RULES", "MAINBLOCK_RULES_DIR")
        )
    except ValueError as error:
        raise UsageError(str(error)) from None
    return rules_address(rules, rules_dir, settings)
