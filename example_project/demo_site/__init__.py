"""A small generated web site: many templates, two languages, gold text for every page.

    site = demo_site.build(seed=7)
    site.pages[0].html, site.respond("/")

`python -m demo_site --help` serves it or writes it to disk.
"""

from __future__ import annotations

from .build import build
from .model import Page
from .server import serve
from .site import Site

__all__ = ["Page", "Site", "build", "serve"]
