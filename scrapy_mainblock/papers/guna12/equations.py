"""[Guna12] Gunasundari, Karthikeyan: A Study of Content Extraction from Web Pages Based on Links.

The method uses four numbers of a node, two sets of thresholds, and a descent level by level.

Notes on the paper:

* It gives the thresholds without their directions. LTD, LA and LAD measure noise and have upper
  bounds; NTL measures content and has a lower bound: section 3.1 ("the greater the value, the
  greater the possibility of advertising block").
* Deviates: in the *basic* set, LA = 10 is not an upper bound here. Section 3.1: a great LA
  "indicates that there are more child nodes, thus corresponding work has to be carried out to check
  its child nodes"; and the paper's own sample takes `<body>`, with every link of a portal page, as
  a basic content node. An upper bound would end every descent at the body.
* Deviates: the children of a node with more than half of the page's text outside links are examined
  even if the node does not meet the basic conditions (`is_general`). As printed, one wrapper around
  menu and article with LTD = 0.41 ends the search; step 3 itself says that "the content must be
  under a general node".
* Table 1's last row says "Sum up 100" for 500 pages.
"""

from __future__ import annotations

from dataclasses import dataclass, replace


@dataclass(frozen=True)
class Thresholds:
    """Upper bounds of LTD, LA and LAD, and the lower bound of NTL; None means no bound."""

    ltd: float
    la: int | None
    ntl: int
    lad: float

    def hold(self, ltd: float, la: int, ntl: int, lad: float) -> bool:
        """Return whether the four numbers of a node are within these bounds."""
        return (
            ltd <= self.ltd
            and (self.la is None or la <= self.la)
            and ntl >= self.ntl
            and lad <= self.lad
        )


BASIC_AS_PRINTED = Thresholds(ltd=0.4, la=10, ntl=100, lad=0.5)
"""Step 3: LTD = 0.4, LA = 10, NTL = 100, LAD = 0.5."""

BASIC = replace(BASIC_AS_PRINTED, la=None)
"""The basic set without a bound on LA (see the module's docstring)."""

PRECISE = Thresholds(ltd=0.1, la=10, ntl=50, lad=0.1)
"""Step 4: LTD = 0.1, LA = 10, NTL = 50, LAD = 0.1."""


def link_text_density(link_text: float, all_text: float) -> float:
    """Return LTD: length of the link text over length of all text under a node; 0 without text."""
    return link_text / all_text if all_text else 0.0


def link_amount_density(links: int, nodes: int) -> float:
    """Return LAD: number of links over number of nodes under a node; 0 without nodes."""
    return links / nodes if nodes else 0.0


GENERAL_SHARE = 0.5
"""Our threshold: a node with more than this share of the page's non-link text is general."""


def is_general(text: float, page_text: float, share: float = GENERAL_SHARE) -> bool:
    """Return whether a node has so much of the page's non-link text that content is under it."""
    return text > share * page_text
