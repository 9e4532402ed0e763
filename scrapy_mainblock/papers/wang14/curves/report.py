"""An HTML report with figures 4 to 8 of [Wang14] for given pages, next to the paper's findings.

The report is self-contained (SVG, style sheet), has no scripts and loads nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from html import escape

from scrapy_mainblock.papers.wang14 import equations as wang14
from scrapy_mainblock.papers.wang14.curves import figure
from scrapy_mainblock.papers.wang14.curves.sweep import AXES, Curves, Group, Point, Result

_AXES = {axis.name: axis for axis in AXES}
_TEXT, _CODE = wang14.D_T_TEXT, wang14.D_T_CODE
# "Maintains unchanged": a difference that is no longer visible in the paper's plots.
_FLAT = 0.02
# "Far", "significantly" lower: by at least a tenth.
_FAR_BELOW = 0.9


@dataclass(frozen=True)
class Claim:
    """A finding of the paper, the same on these pages, and whether the two agree."""

    paper: str
    here: str
    agrees: bool


@dataclass(frozen=True)
class Figure:
    """A figure of the report: the plots of an axis, and the paper's claims about them."""

    number: str
    title: str
    axis: str
    groups: tuple[Group, ...]
    claims: Callable[[Result], list[Claim]]


def render(result: Result, *, sources: Sequence[str] = (), title: str = "Link block curves") -> str:
    """Return the report as HTML; `sources` (names of the inputs) are only displayed."""
    return _PAGE.format(
        title=escape(title),
        style=_STYLE + figure.STYLE,
        sources=_sources(sources),
        counts=_counts(result),
        parameters=_parameters(),
        figures=figures(result),
    )


def figures(result: Result) -> str:
    """Return only the figures, to embed in a page whose style includes `figure.STYLE`."""
    if not result.all.pages:
        return _NOTHING
    return "\n".join(_figure(shown, result) for shown in FIGURES)


def _figure(shown: Figure, result: Result) -> str:
    axis = _AXES[shown.axis]
    present = [group for group in shown.groups if result.of(group).pages]
    held = axis.setting(axis.values[0])
    constant = (
        f"C<sub>t</sub> = {held[0]}" if axis.varied == "d_t" else f"{_D_T[axis.name]} = {held[1]}"
    )
    heading = f"<h2>{escape(shown.number)}: {shown.title}</h2>"
    if not present:
        missing = f'<p class="none">No {" or ".join(shown.groups)} pages with links.</p>'
        return f'<section class="figure">{heading}{missing}</section>'
    pages = ", ".join(f"{result.of(group).pages:,} {group} pages" for group in present)
    return "\n".join(
        [
            f'<section class="figure">{heading}',
            f'<p class="setting">{constant}; {pages}.</p>',
            '<div class="plots">',
            *_plots(shown.axis, present, result),
            "</div>",
            _claims(shown.claims(result)),
            _table(shown.axis, present, result),
            "</section>",
        ]
    )


def _plots(axis_name: str, groups: Sequence[Group], result: Result) -> Iterable[str]:
    axis = _AXES[axis_name]
    label = _LABELS[axis_name]
    points = {group: result.of(group).points[axis_name] for group in groups}

    def line(name: str, group: Group, quantity: str) -> figure.Series:
        named = f"{name}, {group}" if len(groups) > 1 else name
        return figure.Series(named, tuple(getattr(point, quantity) for point in points[group]))

    blocks = [line("blocks", group, "blocks") for group in groups]
    ratios = [line(q.upper(), group, q) for group in groups for q in ("lcr", "ccr")]
    yield figure.plot("Link blocks per page", label, axis.values, blocks)
    yield figure.plot("Coverage of links (LCR) and code (CCR)", label, axis.values, ratios, top=1.0)


def _claims(claims: Sequence[Claim]) -> str:
    if not claims:
        return ""
    rows = []
    for claim in claims:
        style, verdict = ("yes", "agrees") if claim.agrees else ("no", "differs")
        cells = f'<td>{claim.paper}</td><td>{claim.here}</td><td class="{style}">{verdict}</td>'
        rows.append(f"<tr>{cells}</tr>")
    head = "<tr><th>The paper</th><th>These pages</th><th>Verdict</th></tr>"
    body = "\n".join(rows)
    return f'<table class="claims"><thead>{head}</thead><tbody>{body}</tbody></table>'


def _table(axis_name: str, groups: Sequence[Group], result: Result) -> str:
    axis = _AXES[axis_name]
    kinds = "".join(f'<th colspan="4">{group} pages</th>' for group in groups)
    names = "<th>blocks</th><th>LCR</th><th>CCR</th><th>2 or 3 blocks</th>" * len(groups)
    rows = []
    for number, value in enumerate(axis.values):
        cells = "".join(_cells(result.of(group).points[axis_name][number]) for group in groups)
        rows.append(f"<tr><th>{value}</th>{cells}</tr>")
    return (
        '<details><summary>The numbers</summary><div class="wide"><table class="numbers"><thead>'
        f'<tr><th rowspan="2">{_SYMBOLS[axis_name]}</th>{kinds}</tr><tr>{names}</tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table></div></details>"
    )


def _cells(point: Point) -> str:
    ratios = "".join(f"<td>{value:.3f}</td>" for value in (point.lcr, point.ccr))
    return f"<td>{point.blocks:.2f}</td>{ratios}<td>{point.two_or_three:.0%}</td>"


def _sources(sources: Sequence[str]) -> str:
    named = ", ".join(f"<code>{escape(source)}</code>" for source in sources)
    return f'<p class="setting">From {named}.</p>' if named else ""


def _counts(result: Result) -> str:
    rows = "".join(
        f"<tr><th>{group}</th><td>{curves.pages:,}</td><td>{figure.short(curves.links)}</td>"
        f"<td>{curves.length:,.0f}</td><td>{curves.pages_without_links:,}</td></tr>"
        for group, curves in (
            ("index", result.index),
            ("content", result.content),
            ("all", result.all),
        )
    )
    return (
        '<table class="numbers"><thead><tr><th>kind</th><th>pages</th><th>links per page</th>'
        "<th>bytes per page</th><th>left out: no links</th></tr></thead>"
        f"<tbody>{rows}</tbody></table>"
    )


def _parameters() -> str:
    def spread(values: Sequence[int]) -> str:
        return f"{values[0]}, {values[1]}, … {values[-1]}"

    return (
        f"First group: C<sub>t</sub> = {wang14.C_T}; {_SYMBOLS['d_t_text']} = "
        f"{spread(wang14.CURVES_D_T_TEXT)} (text units) and {_SYMBOLS['d_t_code']} = "
        f"{spread(wang14.CURVES_D_T_CODE)} (characters of code). Second group: C<sub>t</sub> = "
        f"{spread(wang14.CURVES_C_T)}; {_SYMBOLS['d_t_text']} = {_TEXT} and "
        f"{_SYMBOLS['d_t_code']} = {_CODE}."
    )


# The findings of the paper (section 4.3), figure by figure.


def _falls(curves: Curves, axis: str, paper: str) -> Claim:
    first, last = curves.points[axis][0].blocks, curves.points[axis][-1].blocks
    return Claim(paper, f"from {first:.1f} to {last:.1f} blocks per page", last < first)


def _flat_from(curves: Curves, quantity: str, value: int) -> Claim:
    points = [point for point in curves.points["d_t_text"] if point.value >= value]
    first, last = getattr(points[0], quantity), getattr(points[-1], quantity)
    return Claim(
        f"{quantity.upper()} no longer changes from {_SYMBOLS['d_t_text']} = {value}",
        f"{first:.2f} at {value}, {last:.2f} at {points[-1].value}",
        abs(last - first) <= _FLAT,
    )


def _compare(result: Result, axis: str, value: int, paper: str) -> list[Claim]:
    """Compare the CCR of content pages with that of index pages."""
    if not (result.index.pages and result.content.pages):
        return []
    content, index = result.content.at(axis, value).ccr, result.index.at(axis, value).ccr
    here = f"at {_SYMBOLS[axis]} = {value}: {content:.2f}, index pages {index:.2f}"
    return [Claim(paper, here, content <= _FAR_BELOW * index)]


def _of_figure_4(result: Result) -> list[Claim]:
    at_5 = result.index.at("d_t_text", 5).lcr
    return [
        _falls(result.index, "d_t_text", "blocks become fewer"),
        Claim(
            f"LCR is over 0.9 at {_SYMBOLS['d_t_text']} = 5",
            f"LCR at {_SYMBOLS['d_t_text']} = 5: {at_5:.2f}",
            at_5 > 0.9,
        ),
        _flat_from(result.index, "lcr", 20),
        _flat_from(result.index, "ccr", 45),
    ]


def _of_figure_5(result: Result) -> list[Claim]:
    last = result.content.points["d_t_text"][-1]
    default = result.content.at("d_t_text", _TEXT)
    claims = [
        Claim(
            f"with {_SYMBOLS['d_t_text']} large enough, basically 2 to 3 blocks per page",
            f"at {_TEXT}: {default.blocks:.1f} per page, {default.two_or_three:.0%} of the pages "
            f"have 2 or 3; at {last.value}: {last.blocks:.1f} and {last.two_or_three:.0%}",
            2 <= last.blocks < 3.5,
        )
    ]
    if result.index.pages:
        there = result.index.at("d_t_text", _TEXT).blocks
        claims.append(
            Claim(
                "far fewer blocks than on index pages",
                f"at {_TEXT}: {default.blocks:.1f}, index pages {there:.1f}",
                default.blocks < there,
            )
        )
    return claims + _compare(
        result, "d_t_text", _TEXT, "CCR significantly lower than on index pages"
    )


def _of_figure_6(result: Result) -> list[Claim]:
    claims = []
    for group, curves in (("index", result.index), ("content", result.content)):
        if curves.pages:
            code, text = curves.points["d_t_code"][0], curves.points["d_t_text"][0]
            claims += _code_against_text(group, "d_t", code, text)
            code, text = curves.at("d_t_code", _CODE), curves.at("d_t_text", _TEXT)
            claims += _code_against_text(group, "d_t", code, text)
    return claims + _compare(result, "d_t_code", _CODE, "CCR of content pages significantly lower")


def _code_against_text(group: str, varied: str, code: Point, text: Point) -> list[Claim]:
    values = (
        f"C<sub>t</sub> = {code.value}"
        if varied == "c_t"
        else f"{_SYMBOLS['d_t_code']} = {code.value}, {_SYMBOLS['d_t_text']} = {text.value}"
    )
    ratios = f"{code.lcr:.2f} and {code.ccr:.2f}, by text {text.lcr:.2f} and {text.ccr:.2f}"
    return [
        Claim(
            f"{group} pages: more blocks than by text distance",
            f"{values}: {code.blocks:.1f} blocks, by text {text.blocks:.1f}",
            code.blocks > text.blocks,
        ),
        Claim(
            f"{group} pages: lower LCR and CCR than by text distance",
            f"{values}: {ratios}",
            code.lcr < text.lcr and code.ccr < text.ccr,
        ),
    ]


def _of_figure_7(result: Result) -> list[Claim]:
    return [
        _falls(result.index, "c_t_text", "blocks become fewer as C<sub>t</sub> grows"),
        _ratios_fall(result.index, "c_t_text"),
    ]


def _ratios_fall(curves: Curves, axis: str) -> Claim:
    first, last = curves.points[axis][0], curves.points[axis][-1]
    return Claim(
        "LCR and CCR fall as C<sub>t</sub> grows",
        f"LCR from {first.lcr:.3f} to {last.lcr:.3f}, CCR from {first.ccr:.3f} to {last.ccr:.3f}",
        last.lcr < first.lcr and last.ccr < first.ccr,
    )


def _of_figure_8(result: Result) -> list[Claim]:
    points = result.content.points["c_t_text"]
    first, last = points[0], points[-1]
    claims = [
        Claim(
            "few blocks, basically below 4, sliding down gently",
            f"{first.blocks:.1f} at C<sub>t</sub> = {first.value}, "
            f"{last.blocks:.1f} at {last.value}",
            last.blocks < first.blocks < 4,
        ),
        _ratios_fall(result.content, "c_t_text"),
    ]
    if result.index.pages:
        index = result.index.points["c_t_text"]
        near, far = index[0].lcr - first.lcr, index[-1].lcr - last.lcr
        claims.append(
            Claim(
                "LCR near that of index pages for a small C<sub>t</sub>, then falling behind",
                f"{near:.3f} below at C<sub>t</sub> = {first.value}, {far:.3f} at {last.value}",
                near < far,
            )
        )
    return claims + _compare(result, "c_t_text", wang14.C_T, "CCR far lower than on index pages")


def _of_section_4(result: Result) -> list[Claim]:
    claims = []
    for group, curves in (("index", result.index), ("content", result.content)):
        if curves.pages:
            claims.append(_falls(curves, "c_t_code", f"{group} pages: blocks become fewer"))
            code, text = curves.points["c_t_code"], curves.points["c_t_text"]
            for number in (0, -1):
                claims += _code_against_text(group, "c_t", code[number], text[number])
    return claims


_D_T_TEXT_SYMBOL = "d<sub>t</sub><sup>t</sup>"
_D_T_CODE_SYMBOL = "d<sub>t</sub><sup>c</sup>"
_D_T = {"c_t_text": _D_T_TEXT_SYMBOL, "c_t_code": _D_T_CODE_SYMBOL}
_SYMBOLS = {
    "d_t_text": _D_T_TEXT_SYMBOL,
    "d_t_code": _D_T_CODE_SYMBOL,
    "c_t_text": "C<sub>t</sub>",
    "c_t_code": "C<sub>t</sub>",
}
_LABELS = {
    "d_t_text": "d_t^t (text units)",
    "d_t_code": "d_t^c (characters of code)",
    "c_t_text": "C_t (links)",
    "c_t_code": "C_t (links)",
}

FIGURES = (
    Figure("Figure 4", f"{_D_T_TEXT_SYMBOL}, index pages", "d_t_text", ("index",), _of_figure_4),
    Figure(
        "Figure 5", f"{_D_T_TEXT_SYMBOL}, content pages", "d_t_text", ("content",), _of_figure_5
    ),
    Figure(
        "Figure 6",
        f"{_D_T_CODE_SYMBOL}, code distance",
        "d_t_code",
        ("index", "content"),
        _of_figure_6,
    ),
    Figure("Figure 7", "C<sub>t</sub>, index pages", "c_t_text", ("index",), _of_figure_7),
    Figure("Figure 8", "C<sub>t</sub>, content pages", "c_t_text", ("content",), _of_figure_8),
    Figure(
        "Section 4.3, 4)",
        "C<sub>t</sub>, code distance",
        "c_t_code",
        ("index", "content"),
        _of_section_4,
    ),
)

_NOTHING = (
    '<section><p class="none">No page contains a link, so there is nothing to plot. '
    "A curve needs pages with <code>&lt;a href&gt;</code> in their source.</p></section>"
)

_STYLE = """
:root { color-scheme: light dark; --page: #f6f7f9; --panel: #fff; --text: #1c2430; --muted: #5b6675;
  --line: #e2e6eb; --yes: #00694a; --no: #a3410a; }
@media (prefers-color-scheme: dark) {
  :root { --page: #12161c; --panel: #1a2028; --text: #e4e8ee; --muted: #9aa5b4; --line: #2d3642;
    --yes: #5fd3a6; --no: #f0a878; }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--text);
  font: 15px/1.5 system-ui, sans-serif; }
main { max-width: 1080px; margin: 0 auto; padding: 28px 20px 60px; }
h1 { font-size: 26px; margin: 0 0 4px; } h2 { font-size: 18px; margin: 0; }
sub, sup { font-size: .72em; line-height: 0; }
.setting, .none { color: var(--muted); margin: 2px 0 12px; overflow-wrap: anywhere; }
section { background: var(--panel); border: 1px solid var(--line); border-radius: 8px;
  padding: 18px 20px; margin-top: 20px; }
.plots { display: grid; gap: 16px;
  grid-template-columns: repeat(auto-fit, minmax(min(100%, 400px), 1fr)); }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: 5px 12px 5px 0; text-align: left; vertical-align: top; }
thead th { color: var(--muted); font-weight: 600; font-size: 13px; }
tbody tr { border-top: 1px solid var(--line); }
.claims { width: 100%; margin-top: 12px; font-size: 14px; } .claims td:first-child { width: 42%; }
.claims td:last-child { padding-right: 0; text-align: right; font-weight: 600; }
.yes { color: var(--yes); } .no { color: var(--no); }
.wide { overflow-x: auto; }
.numbers th, .numbers td { text-align: right; font-size: 13px; padding: 3px 14px 3px 0; }
.numbers thead th { border-bottom: 1px solid var(--line); }
.numbers th:first-child { text-align: left; }
details { margin-top: 12px; } summary { cursor: pointer; color: var(--muted); font-size: 14px; }
"""

_PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>{style}</style>
</head>
<body>
<main>
<h1>{title}</h1>
{sources}
<p>Logical link blocks at every threshold of Wang, Wu, Huang and Gu, <cite>A New Recognition
Approach for Logical Link Blocks in Webpages</cite> (2014), section 4: how many blocks a page has,
the share of its links (LCR) and of its source code (CCR) that they cover. Each number is a mean
over pages.</p>
<section>
<h2>Pages and parameters</h2>
<div class="wide">{counts}</div>
<p class="setting">{parameters}</p>
</section>
{figures}
</main>
</body>
</html>
"""
