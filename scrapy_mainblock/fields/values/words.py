"""Words beside a date that tell whether it is that of a change or of the publication."""

from __future__ import annotations

import re

from scrapy_mainblock.outline.parts import Parts


class Words:
    """Words to look for, in any case."""

    def __init__(self, words: str, whole: str) -> None:
        """Store the words; those in `whole` have to end at a word boundary."""
        self._parts = Parts(*(word.encode() for word in words.split(",")))
        self._whole = [(word, re.compile(rf"{word}\b")) for word in whole.split(",")]
        known = [word.encode() for word in f"{words},{whole}".split(",") if word.isascii()]
        self.in_ascii = Parts(*known, ignores_case=True)
        """Finds all words in a text of ASCII, and those in `whole` within longer words too."""

    def are_in(self, text: str) -> bool:
        """Return whether a text contains one of the words."""
        if text.isascii() and not self.in_ascii.are_in(text.encode()):
            return False  # as in most texts
        text = text.lower()
        if self._parts.are_in(text.encode("utf-8", "replace")):
            return True
        for word, pattern in self._whole:
            if word in text and pattern.search(text):
                return True
        return False


OF_CHANGE = Words(
    "updat,modif,chang,edited,editado,revis,reviewed,aktualisier,geändert,stand:,bearbeitet"
    ",mis à jour,màj,actualiz,aggiornat,atualiz,обновл,измен,ενημέρ,aktualiz,zaktual,güncel"
    ",更新,修改,수정,업데이트,تحديث,अपडेट,uppdat,oppdatert,opdater,bijgewerkt,päivitet,แก้ไข,upraven",
    whole="maj",
)
OF_PUBLICATION = Words(
    "publi,posted,released,issued,veröffentlicht,erschienen,erstellt,datum,créé"
    ",opublikow,yayın,yayin,опублик,δημοσ,发布,發布,發佈,发表,公開,投稿,掲載,入力,등록,입력,작성,نشر"
    ",प्रकाशित,scritto,escrito,written,filed,first,inserat,created,uploaded,เผยแพร่"
    ",geplaatst,lagt ut",
    whole="post,vom",
)
IN_NAMES = Parts(b"updated", b"modif", ignores_case=True)
"""Parts of class and id names of changes."""
