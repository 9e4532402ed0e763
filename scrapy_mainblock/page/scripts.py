"""Scripts without spaces between words, in whose texts each character counts as a token."""

from __future__ import annotations

CHARACTER_SCRIPTS = (
    "\u0e01-\u0e30\u0e32\u0e33\u0e40-\u0e46"  # Thai, without its combining signs
    "\u0e81-\u0eb0\u0eb2\u0eb3\u0ebd-\u0ec6\u0edc-\u0edf"  # Lao
    "\u1000-\u102a\u103f\u1050-\u1055"  # Burmese
    "\u1100-\u11ff\ua960-\ua97c\uac00-\ud7a3\ud7b0-\ud7fb\u3131-\u318e\uffa0-\uffdc"  # Hangul
    "\u1780-\u17b3"  # Khmer
    "\u2e80-\u2fdf\u3005-\u3007\u3021-\u3029\u3038-\u303c"  # Han: radicals, signs, numerals
    "\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff\uff66-\uff9f"  # Kana
    "\u3105-\u312f\u31a0-\u31bf"  # Bopomofo
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"  # Han
)
