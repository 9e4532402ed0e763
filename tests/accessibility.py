"""Checks of browser pages with axe-core."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from browser import Tab


def axe_core() -> str:
    """Return the source of axe-core, from the folder in MAINBLOCK_AXE or npm's global folder."""
    named = os.environ.get("MAINBLOCK_AXE")
    try:
        found = (
            named
            or subprocess.run(
                ["npm", "root", "-g"], capture_output=True, text=True, check=True, timeout=30
            ).stdout.strip()
        )
    except (OSError, subprocess.SubprocessError):
        found = ""
    script = Path(found or "none", "axe-core", "axe.min.js")
    if not script.is_file():
        pytest.skip("no axe-core here: npm install axe-core, and its node_modules in MAINBLOCK_AXE")
    return script.read_text("utf-8")


def violations(tab: Tab, axe: str) -> list[object]:
    """Return the violations that axe-core finds in the current view."""
    if not tab.run("Boolean(window.axe)"):
        tab.run(f"{axe}; 1")
    found: list[object] = tab.run(
        "axe.run(document, {iframes: false}).then(r => r.violations.map("
        "v => [v.impact, v.id, v.nodes.slice(0, 3).map(n => n.html + n.failureSummary)]))"
    )
    return found
