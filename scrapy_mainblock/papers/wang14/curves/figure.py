"""Line plots as inline SVG; colors and fonts come from the page's style sheet (`STYLE`)."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

_WIDTH, _HEIGHT = 480, 316
_LEFT, _RIGHT, _TOP, _BOTTOM = 52, 14, 56, 54
_PLOT_WIDTH, _PLOT_HEIGHT = _WIDTH - _LEFT - _RIGHT, _HEIGHT - _TOP - _BOTTOM

# Okabe and Ito's colors, which color-blind readers can distinguish, and lighter ones of the same
# hues for dark mode. Series also differ by marker and dashes, to be distinguishable in grayscale.
STYLE = """
:root { --s0: #0072b2; --s1: #d55e00; --s2: #00795a; --s3: #a8487f; }
@media screen and (prefers-color-scheme: dark) {
  :root { --s0: #56b4e9; --s1: #f0a04b; --s2: #3ecf9f; --s3: #e59cc7; }
}
svg.plot { display: block; width: 100%; height: auto; font: 12px system-ui, sans-serif; }
svg.plot text { fill: var(--text); }
svg.plot .tick { fill: var(--muted); font-size: 11px; }
svg.plot .title { font-weight: 600; font-size: 13px; }
svg.plot .grid { stroke: var(--line); stroke-width: 1; }
svg.plot .axis { stroke: var(--muted); stroke-width: 1; }
svg.plot .series { fill: none; stroke-width: 2; stroke-linejoin: round; }
svg.plot .mark { stroke: var(--panel); stroke-width: 1; }
""" + "".join(
    f"svg.plot .c{number}.series {{ stroke: var(--s{number}); }} "
    f"svg.plot .c{number}.mark {{ fill: var(--s{number}); }}\n"
    for number in range(4)
)
_DASHES = ("", "7 4", "2 3", "9 3 2 3")
_MARKERS = (
    "M-4 0a4 4 0 1 0 8 0a4 4 0 1 0 -8 0z",
    "M-3.6 -3.6h7.2v7.2h-7.2z",
    "M0 -4.8L4.6 3.4H-4.6z",
    "M0 -5L5 0L0 5L-5 0z",
)


@dataclass(frozen=True)
class Series:
    """One line of a plot: its name, and one value for each value of the horizontal axis."""

    name: str
    values: tuple[float, ...]


def plot(
    title: str, label: str, xs: Sequence[int], series: Sequence[Series], top: float | None = None
) -> str:
    """Return an SVG with up to four series over `xs`; the vertical axis runs from 0 to `top`.

    `title` and `label` (of the horizontal axis) are text; a `_` or `^` in the label lowers or
    raises the letter after it. Without `top` the axis ends at a round number above the values.
    """
    highest = max((value for line in series for value in line.values), default=0.0)
    ticks = round_ticks(highest if top is None else top)
    about = escape(_described(title, series))
    parts = [
        f'<svg class="plot" viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" aria-label="{about}">',
        f'<text class="title" x="{_LEFT}" y="14">{escape(title)}</text>',
        *_legend(series),
        *_vertical_axis(ticks),
        *_horizontal_axis(xs, label),
    ]
    for number, line in enumerate(series):
        parts += _line(number, line, xs, ticks[-1])
    return "\n".join([*parts, "</svg>"])


LEAST_TOP = 1e-9
"""Values below it are invisible, so the axis then ends at 1."""


def round_ticks(top: float) -> list[float]:
    """Return about five ticks from 0, the last of them at or above `top`."""
    if not math.isfinite(top) or top < LEAST_TOP:
        top = 1.0
    power = 10.0 ** math.floor(math.log10(top / 5))
    step = next(step * power for step in (1, 2, 2.5, 5, 10) if step * power * 5 >= top * (1 - 1e-9))
    return [round(step * number, 10) for number in range(math.ceil(top / step - 1e-9) + 1)]


def short(value: float) -> str:
    """Format a number for display: 0.93, 12.4, 188."""
    return (
        f"{value:.2f}"
        if abs(value) < 10
        else f"{value:.1f}"
        if abs(value) < 100
        else f"{value:,.0f}"
    )


def _x(value: int, xs: Sequence[int]) -> float:
    span = xs[-1] - xs[0] or 1
    return round(_LEFT + 10 + (value - xs[0]) / span * (_PLOT_WIDTH - 20), 1)


def _y(value: float, top: float) -> float:
    return round(_TOP + (1 - value / top) * _PLOT_HEIGHT, 1)


def _described(title: str, series: Sequence[Series]) -> str:
    lines = [
        f"{line.name}, from {short(line.values[0])} to {short(line.values[-1])}"
        for line in series
        if line.values
    ]
    return f"{title}: {'; '.join(lines)}"


def _legend(series: Sequence[Series]) -> list[str]:
    """Return a legend under the title, two names in a row; no legend for a single line."""
    if len(series) < 2:
        return []
    parts = []
    for number, line in enumerate(series):
        x, y = _LEFT + number % 2 * 150, 28 + number // 2 * 16
        parts += [
            f'<path class="c{number} series"{_dashes(number)} d="M{x} {y}h26"/>',
            _marker(number, x + 13, y),
            f'<text class="tick" x="{x + 32}" y="{y + 4}">{escape(line.name)}</text>',
        ]
    return parts


def _vertical_axis(ticks: Sequence[float]) -> list[str]:
    parts = []
    for tick in ticks:
        y = _y(tick, ticks[-1])
        parts += [
            f'<path class="grid" d="M{_LEFT} {y}h{_PLOT_WIDTH}"/>',
            f'<text class="tick" x="{_LEFT - 8}" y="{y + 4}" text-anchor="end">{tick:g}</text>',
        ]
    return parts


def _horizontal_axis(xs: Sequence[int], label: str) -> list[str]:
    bottom = _TOP + _PLOT_HEIGHT
    parts = [f'<path class="axis" d="M{_LEFT} {bottom}h{_PLOT_WIDTH}"/>']
    for value in xs:
        x = _x(value, xs)
        parts += [
            f'<path class="axis" d="M{x} {bottom}v4"/>',
            f'<text class="tick" x="{x}" y="{bottom + 17}" text-anchor="middle">{value}</text>',
        ]
    middle = _LEFT + _PLOT_WIDTH // 2
    parts.append(
        f'<text x="{middle}" y="{_HEIGHT - 12}" text-anchor="middle">{symbol(label)}</text>'
    )
    return parts


_MARKED = re.compile(r"([_^])(.)")


def symbol(label: str) -> str:
    """Return ``d_t^c`` as SVG: the letter after ``_`` lowered, the letter after ``^`` raised."""
    parts = _MARKED.split(label)
    text = escape(parts[0])
    offset = 0
    for mark, letter, rest in zip(parts[1::3], parts[2::3], parts[3::3], strict=True):
        level = 4 if mark == "_" else -5
        text += f'<tspan dy="{level - offset}" font-size="9">{escape(letter)}</tspan>'
        offset = level
        if rest:
            text += f'<tspan dy="{-offset}">{escape(rest)}</tspan>'
            offset = 0
    return text


def _line(number: int, line: Series, xs: Sequence[int], top: float) -> list[str]:
    places = [(_x(x, xs), _y(value, top)) for x, value in zip(xs, line.values, strict=True)]
    route = "L".join(f"{x} {y}" for x, y in places)
    return [
        f'<path class="c{number} series"{_dashes(number)} d="M{route}"/>',
        *(
            _marker(number, *place, f"{line.name} at {value}: {short(height)}")
            for place, value, height in zip(places, xs, line.values, strict=True)
        ),
    ]


def _dashes(number: int) -> str:
    dashes = _DASHES[number]
    return f' stroke-dasharray="{dashes}"' if dashes else ""


def _marker(number: int, x: float, y: float, tooltip: str = "") -> str:
    """Return a disc, square, triangle or diamond that shows its value as a tooltip."""
    outline = _MARKERS[number]
    title = f"<title>{escape(tooltip)}</title>" if tooltip else ""
    return (
        f'<path class="c{number} mark" transform="translate({x} {y})" d="{outline}">{title}</path>'
    )
