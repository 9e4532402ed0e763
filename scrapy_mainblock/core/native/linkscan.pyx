"""The one scan of `core.linkblocks`: where the links are, and which of them are far apart.

The gaps between links are read as `markup.without_markup` reads them and counted as `textlength`
counts, up to where it is clear that they are long enough. Where a date may make the difference, and
to decode references, Python is asked.
"""

from libc.stdlib cimport free, realloc

from scrapy_mainblock.core.native.characters cimport (
    Char,
    PyUnicode_DATA,
    PyUnicode_FromKindAndData,
    PyUnicode_KIND,
    behind,
    end_of_comment,
    end_of_name,
    end_of_raw,
    ends_name,
    find,
    four_bytes,
    is_alnum,
    is_decimal,
    is_letter,
    is_space,
    lower,
    one_byte,
    starts_with,
    two_bytes,
)

from scrapy_mainblock.core import markup, textlength

cdef enum:
    MOST_VALUES = 500  # as in `markup._INSIDE`
    MOST_VALUES_WITH_MARKUP = 30  # as in `markup._INSIDE_WITH_MARKUP`
    FIRST_LOOK = 500
    LOOK_FURTHER = 4
    MOST_RANGES = 128
    MOST_NAMES = 24
    LONGEST_DATE_IN_LETTERS = 8  # units: "Saturday, 8th of March., 2014"
    FARTHEST_DAY = 20  # "8th   of   September.,   2014"

cdef Py_ssize_t LONGEST_DATE = textlength.LONGEST_DATE, MOST_PARTED = textlength.MOST_PARTED
_decoded = markup._decoded
_is_long = textlength.is_long

# ---- names -------------------------------------------------------------------------------------

cdef const char* RAW[MOST_NAMES]
cdef const char* INLINE[MOST_NAMES]
cdef Py_ssize_t raw_size[MOST_NAMES]
cdef Py_ssize_t inline_size[MOST_NAMES]
# Where the names with a first letter begin and end.
cdef int first_raw[27]
cdef int first_inline[27]


cdef list take_names(
    str names, const char** found, Py_ssize_t* sizes, int* first_of
):
    """In order; what is returned has to be kept, since `found` points into it."""
    cdef list kept = sorted(name.encode() for name in names.split("|"))
    cdef int number
    if len(kept) > MOST_NAMES:
        raise ImportError("there is room for fewer names")
    for number in range(len(kept)):
        found[number], sizes[number] = kept[number], len(kept[number])
    for number in range(27):
        first_of[number] = sum(name[0] < ord("a") + number for name in kept)
    return kept


_raw = take_names(markup.RAW_ELEMENTS, RAW, raw_size, first_raw)
_inline = take_names(markup.INLINE_ELEMENTS, INLINE, inline_size, first_inline)


cdef int raw_at(const Char* s, Py_ssize_t position, Py_ssize_t end) noexcept nogil:
    """Which raw element's name stands there, where a letter does; -1 for none."""
    cdef int letter = lower(s[position]) - c"a", number
    for number in range(first_raw[letter], first_raw[letter + 1]):
        if starts_with(s, position, end, RAW[number], raw_size[number]) and ends_name(
            s, position + raw_size[number], end
        ):
            return number
    return -1


cdef Py_ssize_t behind_inline(const Char* s, Py_ssize_t position, Py_ssize_t end) noexcept nogil:
    """Behind the name of an inline element that stands there; -1 where none does."""
    cdef int letter, number
    if position >= end or not is_letter(s[position]):
        return -1
    letter = lower(s[position]) - c"a"
    for number in range(first_inline[letter], first_inline[letter + 1]):
        if starts_with(s, position, end, INLINE[number], inline_size[number]) and ends_name(
            s, position + inline_size[number], end
        ):
            return position + inline_size[number]
    return -1


# ---- tags --------------------------------------------------------------------------------------


cdef Py_ssize_t behind_tag(
    const Char* s, Py_ssize_t position, Py_ssize_t end, bint may_be_open
) noexcept nogil:
    """Behind the tag whose attributes begin at `position`; -1 if it is none.

    The three ways of `markup._REST_OF_TAG`. A tag that `may_be_open` ends with the source too.
    """
    cdef Py_ssize_t start = position
    cdef four_bytes character = 0
    cdef int values = 0
    while True:  # _INSIDE
        while position < end:
            character = s[position]
            if character == c"=" or character == c">" or character == c"<":
                break
            position += 1
        if position >= end:
            if may_be_open:
                return end
            break
        if character == c">":
            return position + 1
        if character == c"<" or values == MOST_VALUES:
            break
        values += 1
        position += 1
        while position < end and is_space(s[position]):
            position += 1
        if position < end and (s[position] == c'"' or s[position] == c"'"):
            character = s[position]
            position += 1
            while position < end and s[position] != character and s[position] != c"<":
                position += 1
            if position >= end or s[position] == c"<":
                break
            position += 1
    return behind_odd_tag(s, start, end, may_be_open)


cdef Py_ssize_t behind_odd_tag(
    const Char* s, Py_ssize_t start, Py_ssize_t end, bint may_be_open
) noexcept nogil:
    """The second and the third of the three."""
    cdef Py_ssize_t position = start
    cdef four_bytes character = 0
    cdef int values = 0
    while True:  # _INSIDE_WITH_MARKUP
        while position < end:
            character = s[position]
            if character == c">" or character == c"<" or character == c'"' or character == c"'":
                break
            position += 1
        if position >= end:
            if may_be_open:
                return end
            break
        if character == c">":
            return position + 1
        if character == c"<" or values == MOST_VALUES_WITH_MARKUP:
            break
        values += 1
        position = behind(s, position + 1, end, character)
        if s[position - 1] != character or not ends_name(s, position, end):
            break
    position = start  # _INSIDE_BROKEN
    while position < end and s[position] != c"<" and s[position] != c">":
        position += 1
    if position >= end:
        return end if may_be_open else -1
    return position + 1 if s[position] == c">" else -1


# ---- links -------------------------------------------------------------------------------------

cdef struct Link:
    Py_ssize_t start
    Py_ssize_t end
    Py_ssize_t href
    Py_ssize_t behind_href


cdef class Links:
    """The links of a source, in order."""

    cdef Link* found
    cdef Py_ssize_t number
    cdef Py_ssize_t room

    def __dealloc__(self):
        free(self.found)

    cdef int add(self, const Link* link) except -1:
        if self.number == self.room:
            self.room = 2 * self.room + 64
            grown = <Link*> realloc(self.found, self.room * sizeof(Link))
            if grown is NULL:
                raise MemoryError
            self.found = grown
        self.found[self.number] = link[0]
        self.number += 1
        return 0


cdef bint href_of(
    const Char* s, Py_ssize_t position, Py_ssize_t end, Link* link
) noexcept nogil:
    """Whether the attributes up to `end`, behind the tag, have a href: `linkblocks._href`."""
    cdef Py_ssize_t name, behind_name, value
    cdef four_bytes character
    while True:
        while position < end and (
            s[position] == c"/"
            or s[position] == c">"
            or s[position] == c"="
            or is_space(s[position])
        ):
            position += 1
        if position >= end:
            return False
        name = position
        while position < end:
            character = s[position]
            if character == c"/" or character == c">" or character == c"=" or is_space(character):
                break
            position += 1
        behind_name = position
        value = position
        while value < end and is_space(s[value]):
            value += 1
        if value < end and s[value] == c"=":
            value += 1
            while value < end and is_space(s[value]):
                value += 1
            position = value
            if value < end and (s[value] == c'"' or s[value] == c"'"):
                position = find(s, value + 1, end, s[value])
                value += 1
                if position >= end:
                    position = value
                    while position < end and s[position] != c">" and not is_space(s[position]):
                        position += 1
                    link.behind_href = position
                else:
                    link.behind_href = position
                    position += 1
            else:
                while position < end and s[position] != c">" and not is_space(s[position]):
                    position += 1
                link.behind_href = position
            link.href = value
        else:
            link.href = link.behind_href = behind_name
        if behind_name - name == 4 and starts_with(s, name, end, b"href", 4):
            return True


cdef int scan(const Char* s, Py_ssize_t end, Links links) except -1:
    """All links: `linkblocks.find_links`."""
    cdef Py_ssize_t position = 0, start, behind_start
    cdef bint is_open = False
    cdef Py_ssize_t behind_open = 0
    cdef Link link, tag
    cdef four_bytes character
    cdef int raw
    link.start = link.end = link.href = link.behind_href = 0
    tag = link
    while True:
        start = find(s, position, end, c"<")
        position = start + 1
        if position >= end:
            break
        character = lower(s[position])
        if character == c"a":
            if not ends_name(s, start + 2, end):
                continue
            behind_start = behind_tag(s, start + 2, end, False)
            if behind_start < 0:
                continue
            if is_open:
                link.end = find(s, behind_open, end, c"<")
                links.add(&link)
            position = behind_start
            tag.start = start
            is_open = href_of(s, start + 2, behind_start, &tag)
            link = tag
            behind_open = behind_start
        elif character == c"/":
            if start + 2 < end and lower(s[start + 2]) == c"a" and (
                start + 3 == end or ends_name(s, start + 3, end)
            ):
                position = behind(s, start + 3, end, c">")
                if is_open:
                    link.end = position
                    links.add(&link)
                    is_open = False
        elif character == c"!":
            if starts_with(s, start, end, b"<!--", 4):
                position = end_of_comment(s, start, end)
        elif is_letter(character):
            raw = raw_at(s, position, end)
            if raw >= 0:
                position = end_of_raw(s, position + raw_size[raw], end, RAW[raw], raw_size[raw], False)
    if is_open:
        link.end = find(s, behind_open, end, c"<")
        links.add(&link)
    return 0


# ---- lengths -----------------------------------------------------------------------------------

cdef four_bytes character_range[MOST_RANGES][2]
cdef four_bytes combining_range[MOST_RANGES][2]


cdef int take_ranges(str members, four_bytes (*ranges)[2]) except -1:
    """The members of a class of a regular expression, in order."""
    cdef list found = []
    cdef Py_ssize_t position = 0
    while position < len(members):
        if position + 2 < len(members) and members[position + 1] == "-":
            found.append((ord(members[position]), ord(members[position + 2])))
            position += 3
        else:
            found.append((ord(members[position]), ord(members[position])))
            position += 1
    found.sort()
    if len(found) > MOST_RANGES:
        raise ValueError("too many ranges")
    for position, (first, last) in enumerate(found):
        ranges[position][0], ranges[position][1] = first, last
    return len(found)


cdef int character_ranges = take_ranges(textlength.CHARACTER_SCRIPTS, character_range)
cdef int combining_ranges = take_ranges(textlength.COMBINING, combining_range)


cdef bint is_in(four_bytes character, four_bytes (*ranges)[2], int number) noexcept nogil:
    cdef int first = 0, last = number, middle
    while first < last:
        middle = (first + last) // 2
        if ranges[middle][1] < character:
            first = middle + 1
        else:
            last = middle
    return first < number and ranges[first][0] <= character


cdef inline bint is_of_script(four_bytes character) noexcept nogil:
    return character >= 0x0E01 and is_in(character, character_range, character_ranges)


cdef inline bint is_combining(four_bytes character) noexcept nogil:
    return character >= 0xAD and is_in(character, combining_range, combining_ranges)


cdef inline bint is_of_word(four_bytes character) noexcept nogil:
    """A letter or a digit that is no unit of its own."""
    if character < 128:
        return is_letter(character) or c"0" <= character <= c"9"
    return is_alnum(character) and not is_of_script(character)


cdef inline bint is_of_letters(four_bytes character) noexcept nogil:
    return is_of_word(character) and not is_decimal(character)


cdef inline bint joins(four_bytes character) noexcept nogil:
    """A hyphen or an apostrophe, between letters."""
    return (
        character == c"'"
        or character == c"-"
        or character == 0x2019
        or character == 0x02BC
        or character == 0x2010
        or character == 0x2011
    )


cdef Py_ssize_t units_in(const Char* s, Py_ssize_t end) noexcept nogil:
    """The units of a text, with dates as what they are made of: `textlength._count`."""
    cdef Py_ssize_t position = 0, units = 0
    cdef four_bytes character
    while position < end:
        character = s[position]
        if is_space(character):
            position += 1
        elif is_of_word(character):
            units += 1
            position = behind_word(s, position, end)
        elif is_of_script(character):
            units += 1
            position += 1
        elif character == c"_" or not (is_alnum(character) or is_combining(character)):
            units += 1
            while position < end and s[position] == character:
                position += 1
        else:
            position += 1
    return units


cdef Py_ssize_t behind_word(const Char* s, Py_ssize_t position, Py_ssize_t end) noexcept nogil:
    cdef four_bytes character
    position += 1
    while position < end:
        character = s[position]
        if is_of_word(character) or is_combining(character):
            position += 1
        elif joins(character):
            if position + 1 == end or not is_of_letters(s[position + 1]):
                break
            position += 1
        elif character == c"." or character == c"," or character == c":":
            if (
                position + 1 == end
                or not is_decimal(s[position - 1])
                or not is_decimal(s[position + 1])
            ):
                break
            position += 1
        else:
            break
    return position


cdef int _i
cdef const char* MONTHS[12]
cdef Py_ssize_t month_size[12]
_months = [
    name.encode()
    for name in (
        "january february march april may june july august september october november december"
    ).split()
]
for _i in range(12):
    MONTHS[_i], month_size[_i] = _months[_i], len(_months[_i])


cdef Py_ssize_t dates_in(
    const Char* s, Py_ssize_t end, Py_ssize_t* units
) noexcept nogil:
    """As many dates as there may be in a text: no fewer than `textlength._date` finds; and the
    units that they may be made of.

    Each of them has a month in it: in Chinese or Korean with its number right before it, as a name
    with a number near it, or as one of three numbers with the same mark between them.
    """
    cdef Py_ssize_t position, dates = 0, in_han = 0
    cdef four_bytes character
    for position in range(end):
        character = s[position]
        if character == c"-" or character == c"/" or character == c".":
            dates += is_first_mark(s, position, end)
        elif character == 0x6708 or character == 0xC6D4:
            in_han += is_numbered(s, position)
        elif c"A" <= character <= c"S" and is_month(s, position, end):
            dates += is_near_number(s, position, end)
    units[0] = LONGEST_DATE * in_han + LONGEST_DATE_IN_LETTERS * dates
    return in_han + dates


cdef inline bint is_first_mark(const Char* s, Py_ssize_t position, Py_ssize_t end) noexcept nogil:
    """Of three numbers, the second of one or two digits."""
    cdef four_bytes mark = s[position]
    if position == 0 or not is_decimal(s[position - 1]):
        return False
    if position + 1 >= end or not is_decimal(s[position + 1]):
        return False
    position += 2
    if position < end and is_decimal(s[position]):
        position += 1
    return position + 1 < end and s[position] == mark and is_decimal(s[position + 1])


cdef inline bint is_numbered(const Char* s, Py_ssize_t position) noexcept nogil:
    if position and is_space(s[position - 1]):
        position -= 1
    # The digits in Han characters begin with a circle for the zero.
    return position > 0 and (is_decimal(s[position - 1]) or s[position - 1] >= 0x25CB)


cdef inline bint is_near_number(
    const Char* s, Py_ssize_t position, Py_ssize_t end
) noexcept nogil:
    """Whether there is a digit as near to a month's name as one of its day or year is."""
    cdef Py_ssize_t other = max(0, position - FARTHEST_DAY)
    end = min(end, position + FARTHEST_DAY)
    while other < end:
        if is_decimal(s[other]):
            return True
        other += 1
    return False


cdef bint is_month(const Char* s, Py_ssize_t start, Py_ssize_t end) noexcept nogil:
    """Whether the word there is a month's name, or the beginning that it is cut to."""
    cdef Py_ssize_t behind_word = start, size
    cdef int number
    while behind_word < end and is_letter(s[behind_word]):
        behind_word += 1
    size = behind_word - start
    if size < 3 or size > 9:
        return False
    for number in range(12):
        if starts_with(s, start, start + 3, MONTHS[number], 3):
            return size <= 4 or (
                size == month_size[number]
                and starts_with(s, start, behind_word, MONTHS[number], size)
            )
    return False


cdef enum:
    SHORT = 0
    LONG = 1
    UNCLEAR = 2


cdef int length_of(
    const Char* s, Py_ssize_t end, Py_ssize_t enough, bint is_all
) noexcept nogil:
    """Whether a text, or what it begins with, has so many units."""
    cdef Py_ssize_t units = units_in(s, end)
    cdef Py_ssize_t of_dates, dates = dates_in(s, end, &of_dates)
    # What comes behind the end may join the last units to one, as in a date.
    if units - of_dates >= (enough if is_all else enough + LONGEST_DATE):
        return LONG
    return SHORT if is_all and units + MOST_PARTED * dates < enough else UNCLEAR


cdef class Gap:
    """The text between two links, as far as it had to be read."""

    cdef four_bytes* text
    cdef Py_ssize_t size
    cdef Py_ssize_t room
    cdef bint has_references

    def __dealloc__(self):
        free(self.text)

    cdef int make_room(self, Py_ssize_t more) except -1:
        if self.size + more > self.room:
            self.room = 2 * (self.size + more) + 1024
            grown = <four_bytes*> realloc(self.text, self.room * sizeof(four_bytes))
            if grown is NULL:
                raise MemoryError
            self.text = grown
        return 0

    cdef int is_long(self, Py_ssize_t enough, bint is_all) except -1:
        cdef Py_ssize_t position, characters = 0
        cdef object text
        cdef int said
        if is_all:
            for position in range(self.size):
                characters += not is_space(self.text[position])
            if characters < enough:  # no unit is shorter than a character, nor a reference
                return SHORT
        if not self.has_references:
            said = length_of(self.text, self.size, enough, is_all)
            if said != UNCLEAR or not is_all:
                return said
        text = _decoded(PyUnicode_FromKindAndData(4, self.text, self.size))
        if PyUnicode_KIND(text) == 1:
            said = length_of(<const one_byte*> PyUnicode_DATA(text), len(text), enough, is_all)
        elif PyUnicode_KIND(text) == 2:
            said = length_of(<const two_bytes*> PyUnicode_DATA(text), len(text), enough, is_all)
        else:
            said = length_of(<const four_bytes*> PyUnicode_DATA(text), len(text), enough, is_all)
        if said != UNCLEAR or not is_all:
            return said
        return LONG if _is_long(text, enough) else SHORT


cdef bint is_far(
    const Char* s, Py_ssize_t position, Py_ssize_t end, Py_ssize_t enough, Gap gap
) except -1:
    """Whether the text of a gap has so many units: `linkblocks._text_distance`."""
    cdef Py_ssize_t next_tag, look = FIRST_LOOK
    cdef Py_ssize_t i
    cdef bint parts_words
    cdef int said
    gap.size = 0
    gap.has_references = False
    while position < end:
        next_tag = find(s, position, end, c"<")
        while position < next_tag:
            # Not more at once than is looked at: an article may be one text.
            i = min(next_tag, position + look)
            gap.make_room(i - position + 1)
            while position < i:
                gap.has_references |= s[position] == c"&"
                gap.text[gap.size] = s[position]
                gap.size += 1
                position += 1
            if gap.size >= look and position < end:
                said = gap.is_long(enough, False)
                if said == LONG:
                    return True
                look = LOOK_FURTHER * gap.size
        if position >= end:
            break
        parts_words = True
        next_tag = behind_markup(s, position, end, &parts_words)
        gap.make_room(1)
        if next_tag < 0:  # a "<" that is none
            gap.text[gap.size] = c"<"
            gap.size += 1
            position += 1
        else:
            if parts_words:
                gap.text[gap.size] = c" "
                gap.size += 1
            position = next_tag
    return gap.is_long(enough, True) == LONG


cdef Py_ssize_t behind_markup(
    const Char* s, Py_ssize_t start, Py_ssize_t end, bint* parts_words
) noexcept nogil:
    """Behind the tag, comment or raw element that begins there: `markup._NOT_TEXT`; -1 for text."""
    cdef Py_ssize_t position = start + 1, found
    cdef four_bytes character
    cdef int raw
    if position >= end:
        return -1
    character = s[position]
    if character == c"!" and starts_with(s, start, end, b"<!--", 4):
        return end_of_comment(s, start, end)
    if character == c"/" or character == c"!" or character == c"?":
        position += 1
    elif is_letter(character):
        raw = raw_at(s, position, end)
        if raw >= 0:
            return end_of_raw(s, position + raw_size[raw], end, RAW[raw], raw_size[raw], False)
    if character != c"!" and character != c"?":
        found = behind_inline(s, position, end)
        if found >= 0:
            found = behind_tag(s, found, end, False)
            if found >= 0:
                parts_words[0] = False
                return found
    if position < end and is_letter(s[position]):
        found = behind_tag(s, end_of_name(s, position, end), end, True)
        if found >= 0:
            return found
    if is_letter(character):
        return -1
    if character == c"/" or character == c"!" or character == c"?":
        return behind(s, position, end, c">")
    return -1


# ---- for Python --------------------------------------------------------------------------------


cdef Links links_of(str source):
    cdef Links links = Links()
    cdef int kind = PyUnicode_KIND(source)
    if kind == 1:
        scan(<const one_byte*> PyUnicode_DATA(source), len(source), links)
    elif kind == 2:
        scan(<const two_bytes*> PyUnicode_DATA(source), len(source), links)
    else:
        scan(<const four_bytes*> PyUnicode_DATA(source), len(source), links)
    return links


cdef bint gap_is_far(
    str source, Py_ssize_t start, Py_ssize_t end, Py_ssize_t enough, Gap gap
) except -1:
    cdef int kind = PyUnicode_KIND(source)
    if end - start < enough:
        return False
    if kind == 1:
        return is_far(<const one_byte*> PyUnicode_DATA(source), start, end, enough, gap)
    if kind == 2:
        return is_far(<const two_bytes*> PyUnicode_DATA(source), start, end, enough, gap)
    return is_far(<const four_bytes*> PyUnicode_DATA(source), start, end, enough, gap)


def find_links(str source not None):
    """`linkblocks.find_links`, of plain tuples: where each begins and ends, and its address."""
    cdef Links links = links_of(source)
    cdef Link* link
    cdef Py_ssize_t number
    cdef list found = []
    for number in range(links.number):
        link = &links.found[number]
        found.append((link.start, link.end, source[link.href : link.behind_href]))
    return found


def text_blocks(str source not None, Py_ssize_t c_t, Py_ssize_t enough):
    """The blocks of `linkblocks.link_blocks` by the distance in text, and how many links there are.

    A block is where it begins, where it ends, and how many links it has. `enough` is above 0.
    """
    cdef Links links = links_of(source)
    cdef Gap gap = Gap()
    cdef Py_ssize_t first = 0, number
    cdef list blocks = []
    for number in range(1, links.number + 1):
        if number < links.number and not gap_is_far(
            source, links.found[number - 1].end, links.found[number].start, enough, gap
        ):
            continue
        if number - first >= c_t:
            blocks.append((links.found[first].start, links.found[number - 1].end, number - first))
        first = number
    return blocks, links.number


def is_far_apart(str gap not None, Py_ssize_t enough):
    """Whether the text of a gap between two links has so many units."""
    return gap_is_far(gap, 0, len(gap), enough, Gap())


def dates_at_most(str text not None):
    """How many dates a text may have; no fewer than it has."""
    cdef int kind = PyUnicode_KIND(text)
    cdef Py_ssize_t units
    if kind == 1:
        return dates_in(<const one_byte*> PyUnicode_DATA(text), len(text), &units)
    if kind == 2:
        return dates_in(<const two_bytes*> PyUnicode_DATA(text), len(text), &units)
    return dates_in(<const four_bytes*> PyUnicode_DATA(text), len(text), &units)
