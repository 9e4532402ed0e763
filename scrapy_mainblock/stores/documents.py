"""Rules as the JSON document of a site, which people read, edit and keep in git.

    {
      "format": 2,
      "site": "news.example",
      "clusters": [
        {
          "cluster": "1f0c5e2a",
          "pinned": false,
          "version": 2,
          "rule": {
            "id": "content",
            "class": "entry post",
            "path": "body1/div2/div1",
            "drop": ["> aside.related", "> div.share", "> p.byline"],
            "known": ["h2", "p", "ul > li"],
            "dropLines": ["Read more"]
          },
          "pages": 42,
          "votes": 40,
          "looks": {"shortest": 812, "longest": 9120, "linkShare": 0.12},
          "proof": {"pages": 24, "worstLoss": 0.08, "losing": 0, "outside": 0.31, "left": 0.12,
                    "dropped": 0.2, "mostLeft": 210, "mostDropped": 350,
                    "mostOutside": 5200, "leastKept": 480, "checked": "2026-11-19"},
          "judged": {"confidence": 0.93, "types": {"article": 0.97, "forum": 0.02}},
          "names": ["The Daily", "Weather"],
          "note": "",
          "fields": {
            "authors": {"place": "p.byline > a", "probability": 0.93, "pages": 38}
          },
          "history": [
            {"version": 1, "rule": {"id": "main"}, "pages": 30, "votes": 28}
          ],
          "structure": "01ab... 02cd..."
        }
      ]
    }

`rule` may be edited by hand, and `pinned` should then be set to true. A rule says where the block
is, what in it is left out (`drop`, `dropLines`), what alone is kept (`keep`), and what is certainly
content (`known`: the rest is then judged page by page); see `template.selection`. `structure` holds
the hashed places of the cluster's first page; a pinned rule with an empty `structure` is for every
page of the site. `note` is for readers, such as why the rule is pinned.

Some keys may be missing: `looks` (what the rule's block held), `proof` (what the rule does to the
latest of its own pages: see `template.learning.sample`), `judged` (how likely its pages are right
if read alone, and of what types they are), `names` (texts in their titles and headings that are not
a headline), `fields` (where its pages have a field: see `template.field_rules`; those pinned for
all pages stand beside `clusters`; a pin may have a `note` of its own), `learned` (what unpinning a
rule that was changed by hand restores) and `history` (the former rules, the latest first).

A document is data: if something does not fit, the whole is refused, and the error says what and
where.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from scrapy_mainblock.outline.selectors import is_path
from scrapy_mainblock.template.field_rules import RULED, FieldRule, FieldRules, in_order
from scrapy_mainblock.template.proof import Proof
from scrapy_mainblock.template.rules import (
    LONGEST_HISTORY,
    BlockStats,
    FormerRule,
    Judged,
    Learned,
    Rule,
    SiteRules,
    Template,
)
from scrapy_mainblock.template.selection import Selection
from scrapy_mainblock.template.structure import Structure

FORMAT = 2
"""Format 1, of version 0.1, knew pages by hashes that are no longer made: see `_of_format_1`."""
LARGEST = 32_000_000
"""Limit on the bytes of a document: many times what a site of a thousand templates takes."""
MOST_CLUSTERS = 2000
MOST_SELECTORS = 5000
LONGEST_SELECTOR = 20_000
LONGEST_NAME = 2000
MOST_TYPES = 50
"""Each limit is several times what is ever learned: a stranger's document must not be costly to
use."""
_CLUSTERS = re.compile(r'"clusters"\s*:\s*\[\s*')
_BETWEEN_CLUSTERS = re.compile(r"[\s,]*")
_HASHES = re.compile(r"(?:[0-9a-f]{16}(?: [0-9a-f]{16})*)?")


class DamagedDocumentError(ValueError):
    """The document is not one of ours, or was cut off or damaged by an edit."""

    cluster = 0
    """The cluster that is wrong, counted from 1; 0 if the error is not in a cluster."""
    key = ""
    """The key whose value is wrong."""


def _wrong(where: str, key: str, what: str) -> DamagedDocumentError:
    error = DamagedDocumentError(f'{where}: "{key}" {what}')
    error.key = key
    return error


class NewerDocumentError(ValueError):
    """The document was written by a later version; it is left alone."""


def site_to_document(rules: SiteRules) -> dict[str, Any]:
    """Return the document of a site's rules."""
    return {
        "format": FORMAT,
        "site": rules.site,
        **({"fields": _fields_to_entry(rules.fields)} if rules.fields else {}),
        "clusters": [_template_to_entry(template) for template in rules.templates],
    }


def _template_to_entry(template: Template) -> dict[str, Any]:
    history = [
        {
            "version": former.version,
            "rule": _rule_to_entry(former.rule),
            "pages": former.pages,
            "votes": former.votes,
        }
        for former in template.history
    ]
    return {
        "cluster": template.cluster,
        "pinned": template.pinned,
        **({"note": template.note} if template.note else {}),
        "version": template.version,
        "rule": _rule_to_entry(template.rule),
        "pages": template.pages,
        "votes": template.votes,
        **({"looks": _looks_to_entry(template.looks)} if template.looks else {}),
        **({"proof": _proof_to_entry(template.proof)} if template.proof else {}),
        **({"judged": _judged_to_entry(template.judged)} if template.judged else {}),
        **({"names": list(template.names)} if template.names else {}),
        **({"fields": _fields_to_entry(template.fields)} if template.fields else {}),
        **({"learned": _learned_to_entry(template.learned)} if template.learned else {}),
        **({"history": history} if history else {}),
        "structure": " ".join(f"{place:016x}" for place in sorted(template.structure)),
    }


def _fields_to_entry(rules: FieldRules) -> dict[str, Any]:
    return {
        one.field: {
            "place": one.place,
            **(
                {"pinned": True}
                if one.pinned
                else {"probability": round(one.probability, 4), "pages": one.pages}
            ),
            **({"note": one.note} if one.note else {}),
        }
        for one in rules
    }


def _looks_to_entry(looks: BlockStats) -> dict[str, Any]:
    return {
        "shortest": looks.shortest,
        "longest": looks.longest,
        "linkShare": round(looks.link_share, 4),
    }


def _learned_to_entry(learned: Learned) -> dict[str, Any]:
    return {
        "rule": _rule_to_entry(learned.rule),
        "pages": learned.pages,
        "votes": learned.votes,
        **({"looks": _looks_to_entry(learned.looks)} if learned.looks else {}),
        **({"judged": _judged_to_entry(learned.judged)} if learned.judged else {}),
    }


def _judged_to_entry(judged: Judged) -> dict[str, Any]:
    types = {kind: round(share, 4) for kind, share in judged.types}
    return {
        "confidence": round(judged.confidence, 4),
        "types": {kind: share for kind, share in types.items() if share},
    }


def _rule_to_entry(rule: Rule) -> dict[str, Any]:
    selection = rule.selection
    parts = {
        "id": rule.id,
        "class": " ".join(rule.classes),
        "path": rule.path,
        "keep": list(selection.keep),
        "drop": list(selection.drop),
        "known": list(selection.known),
        "dropLines": list(selection.lines),
    }
    return {part: value for part, value in parts.items() if value}


def checked_text(rules: SiteRules) -> str:
    """Return a site's document as text; raise DamagedDocumentError if it could not be read back."""
    text = site_to_text(rules)
    site_from_text(text)
    return text


def site_to_text(rules: SiteRules) -> str:
    """Return the document as it is written to disk."""
    return json.dumps(site_to_document(rules), ensure_ascii=False, indent=2) + "\n"


def site_from_text(text: str | bytes) -> SiteRules:
    """Read a document; raise DamagedDocumentError or NewerDocumentError if it cannot be read."""
    if len(text) > LARGEST:
        raise DamagedDocumentError(f"larger than {LARGEST // 1_000_000} MB")
    try:
        document = json.loads(text)
    except json.JSONDecodeError as error:
        raise DamagedDocumentError(f"line {error.lineno}: not JSON: {error.msg}") from None
    except (ValueError, RecursionError) as error:  # not UTF-8, or nested too deeply
        raise DamagedDocumentError(f"not JSON: {error}") from None
    try:
        return site_from_document(document)
    except DamagedDocumentError as error:
        source = text if isinstance(text, str) else text.decode("utf-8", "replace")
        raise DamagedDocumentError(f"line {_line_of(error, source)}: {error}") from None


def _line_of(error: DamagedDocumentError, text: str) -> int:
    """Return the line of the error, or of the cluster that it is in."""
    offset = _offset_of_cluster(text, error.cluster)
    if error.key:
        offset = max(text.find(f'"{error.key}"', offset), offset)
    return text.count("\n", 0, offset) + 1


def _offset_of_cluster(text: str, number: int) -> int:
    opening = _CLUSTERS.search(text)
    if not number or opening is None:
        return 0
    decoder, offset = json.JSONDecoder(), opening.end()
    for _ in range(number - 1):
        after = _BETWEEN_CLUSTERS.match(text, decoder.raw_decode(text, offset)[1])
        offset = after.end() if after else offset
    return offset


def site_from_document(document: object) -> SiteRules:
    """Read a document that is parsed already."""
    fields = _mapping(document, "the document")
    version = fields.get("format")
    if isinstance(version, int) and version > FORMAT:
        raise NewerDocumentError(f"format {version}, this version reads up to {FORMAT}")
    if version not in (1, FORMAT):
        raise DamagedDocumentError(f'no "format": {FORMAT}')
    entries = fields.get("clusters")
    if not isinstance(entries, list):
        raise DamagedDocumentError('"clusters" is not a list')
    if len(entries) > MOST_CLUSTERS:
        raise DamagedDocumentError(f"more than {MOST_CLUSTERS} clusters")
    templates = [_template_numbered(n, entry) for n, entry in enumerate(entries, 1)]
    if version == 1:
        templates = list(_of_format_1(templates))
    return SiteRules(
        _text(fields, "site", "the document"),
        tuple(templates),
        _fields_from(fields.get("fields"), "the document"),
    )


def _template_numbered(number: int, entry: object) -> Template:
    where = f"cluster {number}"
    try:
        return _template_from_entry(_mapping(entry, where), where)
    except DamagedDocumentError as error:
        error.cluster = number
        raise


def _of_format_1(templates: Iterable[Template]) -> Iterator[Template]:
    """Yield the pinned templates.

    The pages of their clusters can no longer be recognized, so that each pin is tried on every page
    of the site. Other rules are dropped, to be learned anew.
    """
    for template in templates:
        if template.pinned:
            yield replace(template, structure=Structure())


def _template_from_entry(fields: Mapping[str, object], where: str) -> Template:
    pinned = _flag(fields, "pinned", where)
    structure = _text(fields, "structure", where, "")
    if not _HASHES.fullmatch(structure):
        raise _wrong(where, "structure", "does not consist of hashes of 16 hex digits")
    return Template(
        cluster=_text(fields, "cluster", where),
        rule=_rule_from(fields.get("rule"), where),
        structure=Structure(int(place, 16) for place in structure.split()),
        pages=_number(fields, "pages", where),
        votes=_number(fields, "votes", where),
        version=_number(fields, "version", where, 1),
        pinned=pinned,
        note=_short(fields, "note", where, LONGEST_SELECTOR),
        looks=_looks_from(fields.get("looks"), where),
        proof=_proof_from(fields.get("proof"), where),
        history=_history_from(fields.get("history", []), where),
        judged=_judged_from(fields.get("judged"), where),
        learned=_learned_from(fields.get("learned"), where),
        names=_texts(fields, "names", where),
        fields=_fields_from(fields.get("fields"), where),
    )


def _fields_from(value: object, where: str) -> FieldRules:
    """Return the places of fields; fields that have no rules in this version are ignored."""
    if value is None:
        return ()
    entries = _mapping(value, f'{where}: "fields"')
    return in_order(
        _field_from(name, _mapping(entries[name], f'{where}, "fields": "{name}"'), where)
        for name in RULED
        if name in entries
    )


def _field_from(name: str, fields: Mapping[str, object], where: str) -> FieldRule:
    where = f'{where}, "fields": "{name}"'
    pinned = _flag(fields, "pinned", where)
    return FieldRule(
        name,
        _short(fields, "place", where, LONGEST_NAME),
        pinned,
        1.0 if pinned else _share(fields, "probability", where),
        0 if pinned else _number(fields, "pages", where),
        _short(fields, "note", where, LONGEST_SELECTOR),
    )


def _proof_to_entry(proof: Proof) -> dict[str, Any]:
    return {
        "pages": proof.pages,
        "worstLoss": round(proof.worst, 4),
        "losing": proof.losing,
        "outside": round(proof.outside, 4),
        "left": round(proof.left, 4),
        "dropped": round(proof.dropped, 4),
        "mostLeft": proof.most_left,
        "mostDropped": proof.most_dropped,
        "mostOutside": proof.most_outside,
        "leastKept": proof.least_kept,
        **({"checked": proof.checked} if proof.checked else {}),
        **({"failed": True} if proof.failed else {}),
    }


def _proof_from(value: object, where: str) -> Proof | None:
    if value is None:
        return None
    fields = _mapping(value, f'{where}: "proof"')
    failed = fields.get("failed", False)
    if not isinstance(failed, bool):
        raise _wrong(where, "failed", "is neither true nor false")
    return Proof(
        _number(fields, "pages", where),
        _share(fields, "worstLoss", where),
        _number(fields, "losing", where),
        _share(fields, "outside", where),
        _share(fields, "left", where),
        _share(fields, "dropped", where, 1.0),
        _number(fields, "mostLeft", where),
        _number(fields, "mostDropped", where),
        _number(fields, "mostOutside", where),
        _number(fields, "leastKept", where),
        _short(fields, "checked", where, len("2026-11-19")),
        failed,
    )


def _looks_from(value: object, where: str) -> BlockStats | None:
    if value is None:
        return None
    fields = _mapping(value, f'{where}: "looks"')
    return BlockStats(
        _number(fields, "shortest", where),
        _number(fields, "longest", where),
        _share(fields, "linkShare", where),
    )


def _judged_from(value: object, where: str) -> Judged | None:
    if value is None:
        return None
    fields = _mapping(value, f'{where}: "judged"')
    types = _mapping(fields.get("types", {}), f'{where}: "types"')
    if len(types) > MOST_TYPES:
        raise _wrong(where, "types", f"has more than {MOST_TYPES} entries")
    shares = ((str(kind), _share(types, str(kind), where)) for kind in types)
    return Judged(
        _share(fields, "confidence", where), tuple(sorted(shares, key=lambda one: -one[1]))
    )


def _learned_from(value: object, where: str) -> Learned | None:
    if value is None:
        return None
    where = f'{where}: "learned"'
    fields = _mapping(value, where)
    return Learned(
        _rule_from(fields.get("rule"), where),
        _number(fields, "pages", where),
        _number(fields, "votes", where),
        _looks_from(fields.get("looks"), where),
        _judged_from(fields.get("judged"), where),
    )


def _history_from(value: object, where: str) -> tuple[FormerRule, ...]:
    if not isinstance(value, list):
        raise _wrong(where, "history", "is not a list")
    return tuple(
        FormerRule(
            _number(fields, "version", where, 1),
            _rule_from(fields.get("rule"), f'{where}, "history"'),
            _number(fields, "pages", where),
            _number(fields, "votes", where),
        )
        for fields in (_mapping(entry, f'{where}, "history"') for entry in value)
    )[:LONGEST_HISTORY]


def _rule_from(value: object, where: str) -> Rule:
    fields = _mapping(value, f'{where}: "rule"')
    path = _short(fields, "path", where, LONGEST_SELECTOR)
    if path and not is_path(path):
        raise _wrong(where, "path", "is not a path like body1/div2")
    rule = Rule(
        _short(fields, "id", where, LONGEST_NAME),
        tuple(_short(fields, "class", where, LONGEST_NAME).split()),
        path,
        Selection(
            drop=_texts(fields, "drop", where),
            keep=_texts(fields, "keep", where),
            lines=_texts(fields, "dropLines", where),
            known=_texts(fields, "known", where),
        ),
    )
    if not any(rule.selectors):
        raise _wrong(where, "rule", "has no id, class or path")
    return rule


def _mapping(value: object, where: str) -> Mapping[str, object]:
    if not isinstance(value, dict):
        raise DamagedDocumentError(f"{where} is not an object")
    return value


def _text(fields: Mapping[str, object], key: str, where: str, default: str | None = None) -> str:
    value = fields.get(key, default)
    if not isinstance(value, str):
        raise _wrong(where, key, "is not a string")
    return value


def _short(fields: Mapping[str, object], key: str, where: str, most: int) -> str:
    value = _text(fields, key, where, "")
    if len(value) > most:
        raise _wrong(where, key, f"has more than {most} characters")
    return value


def _texts(fields: Mapping[str, object], key: str, where: str) -> tuple[str, ...]:
    value = fields.get(key, [])
    if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
        raise _wrong(where, key, "is not a list of strings")
    if len(value) > MOST_SELECTORS or any(len(one) > LONGEST_SELECTOR for one in value):
        longest = f"one of more than {LONGEST_SELECTOR} characters"
        raise _wrong(where, key, f"has more than {MOST_SELECTORS} strings, or {longest}")
    return tuple(value)


def _flag(fields: Mapping[str, object], key: str, where: str) -> bool:
    value = fields.get(key, False)
    if not isinstance(value, bool):
        raise _wrong(where, key, "is neither true nor false")
    return value


def _share(fields: Mapping[str, object], key: str, where: str, default: float = 0.0) -> float:
    value = fields.get(key, default)
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value <= 1:
        raise _wrong(where, key, "is not a number from 0 to 1")
    return float(value)


def _number(fields: Mapping[str, object], key: str, where: str, default: int = 0) -> int:
    value = fields.get(key, default)
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise _wrong(where, key, "is not an integer >= 0")
    return value
