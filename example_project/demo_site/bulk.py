"""Template code by the kilobyte, as on heavy sites: styles, a hidden mega menu, settings.

It is generated once per template and is the same on all pages of the template.
"""

from __future__ import annotations

import json

from .dice import Dice
from .model import Bulk
from .prose import Writer

STYLE_SHARE, MENU_SHARE = 0.4, 0.25  # the rest is script, about as on front pages of 2024
PROPERTIES = ("margin", "padding", "width", "height", "top", "left", "gap", "font-size")


def make_bulk(kilobytes: float, seed: object, template: str) -> Bulk:
    """Return about this many kilobytes of code for a template."""
    if kilobytes <= 0:
        return Bulk()
    dice = Dice(seed, "bulk", template)
    size = int(kilobytes * 1024)
    return Bulk(
        _style(dice, int(size * STYLE_SHARE)),
        _menu(dice, int(size * MENU_SHARE)),
        _script(dice, int(size * (1 - STYLE_SHARE - MENU_SHARE))),
    )


def _style(dice: Dice, size: int) -> str:
    written: list[str] = []
    length = 0
    while length < size:
        declarations = ";".join(
            f"{name}:{dice.between(0, 64)}px" for name in dice.sample(PROPERTIES, 3)
        )
        rule = f".u-{dice.below(1 << 24):06x}{{{declarations}}}"
        length += len(rule)
        written.append(rule)
    return "".join(written)


def _menu(dice: Dice, size: int) -> str:
    writer = Writer("en", dice, "harbour")
    written = ['<div class="mega-menu" hidden>']
    length = 0
    while length < size:
        links = "".join(
            '<li class="mega-menu__item"><a class="mega-menu__link" '
            f'href="/news/#p{dice.below(99999)}">{writer.phrase("anytown")}</a></li>'
            for _ in range(8)
        )
        column = f'<div class="mega-menu__column"><ul class="mega-menu__list">{links}</ul></div>'
        length += len(column)
        written.append(column)
    return "".join([*written, "</div>"])


def _script(dice: Dice, size: int) -> str:
    settings = []
    length = 0
    while length < size:
        entry = {
            "id": f"slot-{dice.below(1 << 20):05x}",
            "sizes": [[300, 250], [dice.between(300, 970), dice.between(50, 600)]],
            "lazy": dice.chance(0.5),
            "bidders": {f"b{dice.below(99)}": {"placement": dice.below(10**8)}},
        }
        settings.append(entry)
        length += 110  # approximate size of an entry
    return f"window.__slots={json.dumps(settings, separators=(',', ':'))};"
