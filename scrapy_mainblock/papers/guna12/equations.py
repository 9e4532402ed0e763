"""[Guna12] Gunasundari, Karthikeyan: A Study of Content Extraction from Web Pages Based on Links.

Four numbers of a node, two sets of thresholds, a descent level by level.

Found in the paper:

* It gives the thresholds without their directions. LTD, LA and LAD are noise and are upper
  bounds, NTL is content and a lower bound: section 3.1 ("the greater the value, the greater the
  possibility of advertising block").
* Deviates: for the *basic* set LA = 10 is no upper bound here. Section 3.1: a great LA "indicates
  that there are more child nodes, thus corresponding work has to be carried out to check its child
  nodes"; and the paper's own sample takes `<body>`, with every link of a portal page, as a basic
  content node. As a bound it would end every descent at the body.
* Deviates: a node with more than half of the page's text outside links is looked into whether it
  meets the basic conditions or not (`is_general`). As printed, one wrapper around menu and article
  with LTD = 0.41 ends the search; step 3 itself says that "the content must be under a general
  node".
* Table 1's last row says "Sum up 100" for 500 pages.
"""

from __future__ import annotations

from dataclasses import dataclass, replace


@dataclass(frozen=True)
class Thresholds:
    """Upper bounds of LTD, LA and LAD, lower bound of NTL; None where the set has no such bound."""

    ltd: float
    la: int | None
    ntl: int
    lad: float

    def hold(self, ltd: float, la: int, ntl: int, lad: float) -> bool:
        """Whether a node's four numbers are within these bounds."""
        return (
            ltd <= self.ltd
            and (self.la is None or la <= self.la)
            and ntl >= self.ntl
            and lad <= self.lad
        )


BASIC_AS_PRINTED = Thresholds(ltd=0.4, la=10, ntl=100, lad=0.5)
"""Step 3: LTD = 0.4, LA = 10, NTL = 100, LAD = 0.5."""

BASIC = replace(BASIC_AS_PRINTED, la=None)
"""The set that is used; see above for LA."""

PRECISE = Thresholds(ltd=0.1, la=10, ntl=50, lad=0.1)
"""Step 4: LTD = 0.1, LA = 10, NTL = 50, LAD = 0.1."""


def link_text_density(link_text: float, all_text: float) -> float:
    """LTD: the length of all link text over the length of all text under a node; without text 0."""
    return link_text / all_text if all_text else 0.0


def link_amount_density(links: int, nodes: int) -> float:
    """LAD: the number of links over the number of nodes under a node; without nodes 0."""
    return links / nodes if nodes else 0.0


GENERAL_SHARE = 0.5
"""Ours, see above: with more than this share of the page's text a node is a general node."""


def is_general(text: float, page_text: float, share: float = GENERAL_SHARE) -> bool:
    """Whether a node holds so much of the page's text outside links that content is under it."""
    return text > share * page_text
