"""One walk over a whole page for all that is asked of it at once: `core.survey`.

Whether anything is hidden (`repair`), which elements have the ids and classes that the rules of its
site name (`rules`), and what it says of itself in its head (`candidates`). Right behind a parse a
walk costs more than what is done on it.
"""

from cpython.unicode cimport PyUnicode_DecodeUTF8
from libc.stdint cimport uintptr_t
from libc.string cimport memcmp, memset, strchr, strcmp, strlen, strncmp, strstr
from lxml.includes cimport etreepublic as cetree
from lxml.includes.tree cimport (
    XML_CDATA_SECTION_NODE,
    XML_COMMENT_NODE,
    XML_ELEMENT_NODE,
    XML_ENTITY_REF_NODE,
    XML_PI_NODE,
    XML_TEXT_NODE,
    xmlAttr,
    xmlNode,
)

from scrapy_mainblock.core.native.hidden cimport has_children, holds, is_less_than_shown
from scrapy_mainblock.core.native.search cimport node_at
from scrapy_mainblock.core.native.walk cimport (
    BLOCK,
    HIDDEN,
    LINK as LINK_KIND,
    SPAN,
    Buffer,
    Tag,
    add,
    attribute,
    give_back,
    grown,
    last_is_white,
    tag_of,
    tags,
    white,
)

from scrapy_mainblock.core.tags import LINE_TAGS, PARAGRAPH_TAGS

cetree.import_lxml__etree()

cdef extern from "Python.h":
    bint PyUnicode_IS_ASCII(str text)
    void* PyUnicode_DATA(str text)

cdef extern from *:
    void prefetch "__builtin_prefetch"(const void* address) nogil

# --- names --------------------------------------------------------------------------------------

cdef enum Name:
    OTHER
    BASE
    BODY
    BUTTON
    FRAMESET
    H1
    HEAD
    LINK
    META
    NOSCRIPT
    SCRIPT
    SVG
    TITLE

cdef enum:
    NAMES = 13
    KNOWN_NAMES = 128

cdef const char* _spelt[NAMES]
_spelt[:] = [
    b"", b"base", b"body", b"button", b"frameset", b"h1", b"head", b"link", b"meta", b"noscript",
    b"script", b"svg", b"title",
]

cdef struct KnownName:
    const char* spelt
    int name


cdef int _name_of(const char* spelt) noexcept nogil:
    cdef int at
    for at in range(1, NAMES):
        if spelt[0] == _spelt[at][0] and strcmp(spelt, _spelt[at]) == 0:
            return at
    return OTHER


cdef inline int _known_name(KnownName* known, const char* spelt) noexcept nogil:
    """The same, remembered by the address: a document has each name but once."""
    cdef KnownName* one = &known[(<uintptr_t> spelt >> 3) % KNOWN_NAMES]
    if one.spelt != spelt:
        one.name = _name_of(spelt)
        one.spelt = spelt
    return one.name


# --- values -------------------------------------------------------------------------------------

class _NotLikeThat(Exception):
    """A tree that is not what a parser makes of a page."""


cdef inline bint _is_text(const xmlNode* node) noexcept nogil:
    return node.type == XML_TEXT_NODE or node.type == XML_CDATA_SECTION_NODE


cdef const char* _NOTHING = b""


cdef const char* _value(const xmlAttr* one) except NULL:
    """What an attribute holds, nothing of one that is not there."""
    cdef const xmlNode* text = NULL if one == NULL else one.children
    if text == NULL:
        return _NOTHING
    if text.next != NULL or text.type != XML_TEXT_NODE:
        raise _NotLikeThat
    if text.content == NULL:
        return _NOTHING
    return <const char*> text.content


cdef bint _is_said(const xmlAttr* one, const char* wanted) except -1:
    return one != NULL and strcmp(_value(one), wanted) == 0


cdef str _decoded(const char* text):
    return PyUnicode_DecodeUTF8(text, strlen(text), "strict")


cdef str _text_of(const xmlNode* node):
    """`element.text`, "" for none."""
    cdef const xmlNode* child = node.children
    if child == NULL or not _is_text(child):
        return ""
    if child.next == NULL:
        return "" if child.content == NULL else _decoded(<const char*> child.content)
    cdef list pieces = []
    while child != NULL and _is_text(child):
        if child.content != NULL:
            pieces.append(_decoded(<const char*> child.content))
        child = child.next
    return "".join(pieces)


# --- questions ----------------------------------------------------------------------------------

cdef enum:
    MOST_QUESTIONS = 16

cdef struct Question:
    const char* wanted      # the longest of the words
    Py_ssize_t size
    Py_ssize_t rarest       # where in it the octet stands that is rarest in names
    bint is_id
    bint is_one_word

cdef struct Nodes:
    xmlNode** data
    Py_ssize_t size
    Py_ssize_t room

cdef class Questions:
    """What is asked of the pages of a site, made ready once.

    A question is an attribute's name, the words that it must hold, and the path where it most
    likely does.
    """

    cdef readonly tuple asked
    cdef list words
    cdef list longest
    cdef Question one[MOST_QUESTIONS]
    cdef int n

    def __init__(self, asked):
        cdef Question* question
        self.asked = tuple(asked)
        self.words = [words for _, words, _ in self.asked]
        self.longest = [
            max(words, key=len).encode("utf-8", "surrogatepass") for words in self.words
        ]
        self.n = 0
        if len(self.asked) > MOST_QUESTIONS or not all(self.longest):
            raise ValueError("too many questions, or one about nothing")
        for (name, words, _), longest in zip(self.asked, self.longest):
            question = &self.one[self.n]
            question.wanted = <bytes> longest
            question.size = len(<bytes> longest)
            question.is_id = name == "id"
            question.is_one_word = len(words) == 1
            question.rarest = _rarest(question.wanted)
            self.n += 1

    def __len__(self):
        return self.n


cdef unsigned char _parts[256]  # the end, and white space as `str.split` has it; 2: may begin one
for _one in (0, *range(9, 14), *range(28, 33)):
    _parts[<int> _one] = 1
for _one in (0xC2, 0xE1, 0xE2, 0xE3):
    _parts[<int> _one] = 2


cdef unsigned char _often[256]  # how often an octet is in names; the seldom ones are not told apart


cdef void _fill():
    often = list(b"etaoinsrlc-dumphgbfywvkxjqz")
    for rank, octet in enumerate(often):
        _often[<int> octet] = <int> (100 - rank)
    for octet in list(b"_0123456789"):
        _often[<int> octet] = 85


_fill()


cdef Py_ssize_t _rarest(const char* word) noexcept nogil:
    cdef Py_ssize_t found = 0, at = 0
    while word[at]:
        if _often[<unsigned char> word[at]] < _often[<unsigned char> word[found]]:
            found = at
        at += 1
    return found


cdef bint _may_answer(const xmlAttr* one, Questions questions, bint is_id) noexcept nogil:
    """Whether a word that is asked for is in an id or class; of an odd value nobody knows."""
    cdef const xmlNode* value = one.children
    cdef const char* content
    cdef const char* at
    cdef const Question* question
    cdef int number
    if value == NULL or one.ns != NULL:
        return False
    if value.next != NULL or value.type != XML_TEXT_NODE:
        return True
    content = <const char*> value.content
    if content == NULL:
        return False
    for number in range(questions.n):
        question = &questions.one[number]
        if question.is_id != is_id:
            continue
        at = strchr(content, question.wanted[question.rarest])
        while at != NULL:
            if at - content >= question.rarest and (
                strncmp(at - question.rarest, question.wanted, question.size) == 0
            ):
                return True
            at = strchr(at + 1, question.wanted[question.rarest])
    return False


cdef int _ask(Questions questions, Nodes* answers, xmlNode* node, const xmlAttr* one, bint is_id
              ) except -1:
    """Which questions an id or a class is the answer to."""
    cdef const xmlNode* value = one.children
    cdef const unsigned char* at
    cdef const unsigned char* word
    cdef Py_ssize_t size
    cdef int number, tokens = 0
    cdef Question* question
    cdef bint is_odd = value.next != NULL or value.type != XML_TEXT_NODE
    at = NULL if is_odd else <const unsigned char*> value.content
    while at != NULL:
        while at[0] and _parts[at[0]] == 1:
            at += 1
        if not at[0]:
            return 0
        word = at
        tokens += 1
        while not _parts[at[0]]:
            at += 1
        if _parts[at[0]] == 2:
            break
        size = at - word
        for number in range(questions.n):
            question = &questions.one[number]
            if (
                question.size == size
                and question.is_id == is_id
                and memcmp(word, question.wanted, size) == 0
            ):
                if not question.is_one_word or is_id and (tokens > 1 or at[0]):
                    if not _is_answer(node, one, is_id, <list> questions.words[number]):
                        continue
                _add(&answers[number], node)
    for number in range(questions.n):
        if questions.one[number].is_id == is_id:
            if _is_answer(node, one, is_id, <list> questions.words[number]):
                _add(&answers[number], node)
    return 0


cdef bint _is_answer(xmlNode* node, const xmlAttr* one, bint is_id, list words) except -1:
    cdef list said = cetree.attributeValue(node, <xmlAttr*> one).split()
    return said == words if is_id else set(words).issubset(said)


cdef int _add(Nodes* nodes, xmlNode* node) except -1:
    if nodes.size and nodes.data[nodes.size - 1] == node:
        return 0  # a word may stand there twice
    if nodes.size == nodes.room:
        nodes.data = <xmlNode**> grown(
            nodes.data, nodes.size + 1, sizeof(xmlNode*), &nodes.room
        )
    nodes.data[nodes.size] = node
    nodes.size += 1
    return 0


cdef list _answers(cetree._Element root, Nodes* found, steps):
    """The elements; the one at the path alone, if it is among them."""
    cdef Py_ssize_t at
    cdef const xmlNode* at_path
    if found.size > 1 and steps is not None:
        at_path = node_at(root._c_node, steps)
        for at in range(found.size):
            if found.data[at] == at_path:
                return [cetree.elementFactory(root._doc, found.data[at])]
    return [cetree.elementFactory(root._doc, found.data[at]) for at in range(found.size)]


# --- the walk -----------------------------------------------------------------------------------

cdef enum:
    AHEAD = 8  # elements

cdef class Survey:
    """What one walk has found; `survey.pyi` says what each is."""

    cdef readonly Questions questions
    cdef readonly bint may_hide
    cdef readonly list found
    cdef readonly list headings
    cdef readonly list linked
    cdef readonly bint has_body
    cdef readonly str open_graph
    cdef readonly str site_name
    cdef readonly str address
    cdef readonly str title
    cdef readonly str base
    cdef str _misplaced
    cdef bint _has_head_title
    cdef bint _has_misplaced
    cdef int _titles

    cdef int read_meta(self, const xmlNode* node) except -1:
        """A `<meta>` right in the head."""
        cdef const char* one = _value(attribute(node, b"property"))
        cdef const char* other = _value(attribute(node, b"name"))
        cdef const xmlAttr* said
        if self.open_graph is None and (
            strcmp(one, b"og:title") == 0 or strcmp(other, b"og:title") == 0
        ):
            self.open_graph = self.content_of(node)
        if self.site_name is None and (
            strcmp(one, b"og:site_name") == 0
            or strcmp(other, b"og:site_name") == 0
            or strcmp(one, b"application-name") == 0
            or strcmp(other, b"application-name") == 0
        ):
            self.site_name = self.content_of(node)
        if self.address is None and strcmp(one, b"og:url") == 0:
            said = attribute(node, b"content")
            if said != NULL:
                self.address = _decoded(_value(said))
        return 0

    cdef str content_of(self, const xmlNode* node):
        return _decoded(_value(attribute(node, b"content")))

    cdef int read_in_head(self, const xmlNode* node, int name) except -1:
        cdef const xmlAttr* said
        if name == META:
            self.read_meta(node)
        elif name == LINK:
            if self.address is None and _is_said(attribute(node, b"rel"), b"canonical"):
                said = attribute(node, b"href")
                if said != NULL:
                    self.address = _decoded(_value(said))
        elif name == BASE:
            if self.base is None:
                said = attribute(node, b"href")
                if said != NULL:
                    self.base = _decoded(_value(said))
        elif name == TITLE and not self._has_head_title:
            self._has_head_title = True
            self.title = _text_of(node)
        return 0

    cdef int read_title(self, const xmlNode* node, int most) except -1:
        """A `<title>` anywhere, which counts where none is in the head: a picture has one too."""
        cdef const xmlNode* around = node.parent
        self._titles += 1
        if self._has_head_title or self.title is not None or self._titles > most:
            return 0
        while around != NULL and around.type == XML_ELEMENT_NODE:
            if strcmp(<const char*> around.name, b"svg") == 0:
                return 0
            around = around.parent
        self.title = _text_of(node)
        return 0

    cdef int read_misplaced(self, const xmlNode* node) except -1:
        """A `<meta>` right in the body."""
        if not self._has_misplaced and _is_said(attribute(node, b"property"), b"og:title"):
            self._has_misplaced = True
            self._misplaced = self.content_of(node)
        return 0

    cdef int read_script(self, const xmlNode* node) except -1:
        """Linked data, from where it may name a headline."""
        cdef const xmlNode* child = node.children
        cdef const char* at
        if child == NULL or not _is_said(attribute(node, b"type"), b"application/ld+json"):
            return 0
        while child != NULL:
            if _is_text(child) and child.content != NULL:
                at = strstr(<const char*> child.content, b'"headline"')
                if at != NULL:
                    self.linked.append(_decoded(at))
            child = child.next
        return 0


def survey(
    cetree._Element root not None, Questions questions, int most_hidden, int in_button,
    int in_noscript, int most_headings, int most_titles,
):
    """`survey.survey_of`; None of a tree that is not what a parser makes of a page."""
    cdef int n = 0 if questions is None else questions.n
    cdef int number
    cdef Survey found = Survey.__new__(Survey)
    cdef Nodes answers[MOST_QUESTIONS]
    cdef Nodes elements
    memset(answers, 0, sizeof(answers))
    memset(&elements, 0, sizeof(elements))
    found.questions = questions
    found.linked, found.headings, found.found = [], [], []
    try:
        _walk(
            found, root, n > 0, &elements, most_hidden, in_button, in_noscript, most_headings,
            most_titles,
        )
        if n:
            _look_for_names(questions, answers, &elements)
        for number in range(n):
            found.found.append(_answers(root, &answers[number], questions.asked[number][2]))
        if not found.open_graph and found._misplaced:
            found.open_graph = found._misplaced
        return found
    except _NotLikeThat:
        return None
    finally:
        for number in range(n):
            give_back(answers[number].data, answers[number].room * sizeof(xmlNode*))
        give_back(elements.data, elements.room * sizeof(xmlNode*))


cdef int _look_for_names(Questions questions, Nodes* answers, Nodes* elements) except -1:
    """Put the questions to the elements.

    What they are asked for is no longer in the fastest memory, and to fetch it takes longer than to
    read it: so it is sent for a few elements ahead.
    """
    cdef Py_ssize_t at
    cdef const xmlAttr* one
    cdef const char* name
    for at in range(elements.size + 2 * AHEAD):
        if at < elements.size:
            prefetch(elements.data[at].properties)
        if AHEAD <= at < elements.size + AHEAD:
            one = elements.data[at - AHEAD].properties
            prefetch(one.next)
            prefetch(&one.children.content)
        if at < 2 * AHEAD:
            continue
        one = elements.data[at - 2 * AHEAD].properties
        while one != NULL:
            name = <const char*> one.name
            if name[0] == c"i":
                if name[1] == c"d" and name[2] == 0 and _may_answer(one, questions, True):
                    _ask(questions, answers, elements.data[at - 2 * AHEAD], one, True)
            elif name[0] == c"c" and name[1] == c"l" and strcmp(name, b"class") == 0:
                if _may_answer(one, questions, False):
                    _ask(questions, answers, elements.data[at - 2 * AHEAD], one, False)
            one = one.next
    return 0


cdef int _walk(
    Survey found, cetree._Element root, bint n, Nodes* elements, int most_hidden, int in_button,
    int in_noscript, int most_headings, int most_titles,
) except -1:
    """The walk; the elements that have attributes are written down if anybody asks for them."""
    cdef xmlNode* top = root._c_node
    cdef xmlNode* node = top
    cdef const xmlNode* head = NULL
    cdef const xmlNode* body = NULL
    cdef KnownName known[KNOWN_NAMES]
    cdef int name, buttons = 0, noscripts = 0, headings = 0
    memset(known, 0, sizeof(known))
    while True:
        prefetch(node.next)
        if node.type == XML_ELEMENT_NODE:
            if node.ns != NULL:
                raise _NotLikeThat
            prefetch(node.children)
            if n and node.properties != NULL:
                _add(elements, node)
            name = _known_name(known, <const char*> node.name)
            if name:
                if head != NULL and node.parent == head:
                    found.read_in_head(node, name)
                elif body != NULL and node.parent == body and name == META:
                    found.read_misplaced(node)
                if name == H1:
                    if headings < most_headings:
                        headings += 1
                        found.headings.append(cetree.elementFactory(root._doc, node))
                elif name == SCRIPT:
                    found.read_script(node)
                elif name == TITLE:
                    found.read_title(node, most_titles)
                elif name == BUTTON:
                    if buttons < most_hidden and has_children(node):
                        buttons += 1
                        if not found.may_hide and holds(node, in_button, True):
                            found.may_hide = True
                elif name == NOSCRIPT:
                    if noscripts < most_hidden and not found.may_hide:
                        found.may_hide = holds(node, in_noscript, False) and not (
                            is_less_than_shown(node, top)
                        )
                    noscripts += 1
                elif name == HEAD and node.parent == top:
                    if head != NULL:
                        raise _NotLikeThat
                    head = node
                elif name == BODY and node.parent == top:
                    if body != NULL:
                        raise _NotLikeThat
                    found.has_body = True
                    body = node
            if node.children != NULL:
                node = node.children
                continue
        while node != top and node.next == NULL:
            node = node.parent
        if node == top:
            return 0
        node = node.next


# --- headings -------------------------------------------------------------------------------

cdef unsigned char _ends_line[256]  # by the number of a tag


cdef void _fill_lines():
    for number, tag in enumerate(tags):
        _ends_line[<int> number] = tag in PARAGRAPH_TAGS or tag in LINE_TAGS


_fill_lines()


def shown_text(cetree._Element heading not None, Py_ssize_t most_parts, Py_ssize_t longest):
    """What a reader sees in a heading, white space as it is (`candidates.shown_text`).

    "" of one that holds too much; None where Python has to look: for marks, and in an odd tree.
    """
    cdef xmlNode* top = heading._c_node
    cdef xmlNode* node = top.children
    cdef Tag* tag = tag_of(top)
    cdef Buffer text
    cdef Py_ssize_t parts = 1, length = 0, size
    cdef const unsigned char* begin
    cdef const unsigned char* end
    cdef bint goes_down
    if node == NULL or (tag != NULL and (tag.kind == HIDDEN or _ends_line[tag.number] == 0)):
        return None
    text.data = NULL
    text.size = text.room = 0
    try:
        add(&text, " ", 1)
        while True:
            goes_down = False
            if node.type == XML_TEXT_NODE:
                if node.next != NULL and node.next.type != XML_ELEMENT_NODE:
                    return None
                if node.content != NULL and node.content[0]:
                    begin = node.content
                    size = strlen(<const char*> begin)
                    end = begin + size
                    add(&text, <const char*> begin, size)
                    parts += 1
                    while begin < end and white(begin, end):
                        begin += white(begin, end)
                    while end > begin and last_is_white(begin, end - begin):
                        end -= 1
                        while (end[0] & 0xC0) == 0x80:
                            end -= 1
                    while begin < end:
                        length += (begin[0] & 0xC0) != 0x80
                        begin += 1
            elif node.type == XML_ELEMENT_NODE:
                tag = tag_of(node)
                if tag == NULL:
                    if node.ns != NULL:
                        return None
                elif tag.kind == HIDDEN or tag.kind == LINK_KIND or tag.kind == SPAN:
                    if tag.kind == HIDDEN:
                        return None
                    if attribute(node, b"class") != NULL or _has_hash(attribute(node, b"href")):
                        return None
                elif _ends_line[tag.number] or tag.kind == BLOCK:
                    if not _ends_line[tag.number]:
                        return None
                    add(&text, " ", 1)
                parts += 1
                goes_down = node.children != NULL
            else:
                return None
            if parts > most_parts // 2 or length > longest:
                return None
            if goes_down:
                node = node.children
                continue
            while node != top:
                if node.type == XML_ELEMENT_NODE:
                    tag = tag_of(node)
                    parts += 1
                    if tag != NULL and _ends_line[tag.number]:
                        add(&text, " ", 1)
                if node.next != NULL:
                    break
                node = node.parent
            if node == top:
                return text.data[:text.size].decode("utf-8")
            node = node.next
    finally:
        give_back(text.data, text.room)


def texts_of(cetree._Element root not None):
    """Each text in the body (`standing`); None of a tree that is not what a parser makes."""
    cdef xmlNode* top = root._c_node.children
    cdef xmlNode* node
    cdef list found = []
    while top != NULL:
        if top.type == XML_ELEMENT_NODE and strcmp(<const char*> top.name, b"body") == 0:
            if top.ns != NULL:
                return None
            node = top
            while True:
                prefetch(node.next)
                if _is_text(node):
                    if node.content == NULL:
                        return None
                    found.append(_decoded(<const char*> node.content))
                elif node.type == XML_ELEMENT_NODE:
                    if node.children != NULL:
                        node = node.children
                        continue
                elif node.type != XML_COMMENT_NODE and node.type != XML_PI_NODE:
                    return None
                while node != top and node.next == NULL:
                    node = node.parent
                if node == top:
                    break
                node = node.next
        top = top.next
    return found


cdef bint _has_hash(const xmlAttr* href) noexcept nogil:
    """Whether there may be a `#` in an address."""
    if href == NULL or href.children == NULL:
        return False
    if href.children.next != NULL or href.children.type != XML_TEXT_NODE:
        return True
    return (
        href.children.content != NULL
        and strchr(<const char*> href.children.content, c"#") != NULL
    )


# --- titles -------------------------------------------------------------------------------------

def is_folded(str text not None):
    """Whether a text is of printable ASCII with one space between words: `titles.folded` has
    nothing to do, nor to ask of characters where what is known of them lies."""
    cdef const unsigned char* at
    cdef const unsigned char* end
    cdef bint was_space = True
    if not PyUnicode_IS_ASCII(text):
        return False
    at = <const unsigned char*> PyUnicode_DATA(text)
    end = at + len(text)
    while at < end:
        if at[0] == c" ":
            if was_space:
                return False
            was_space = True
        elif 0x20 < at[0] < 0x7F:
            was_space = False
        else:
            return False
        at += 1
    return not was_space


# --- the end ------------------------------------------------------------------------------------

def is_whole(cetree._Element root not None, int most):
    """Whether nothing of a page is behind its end (`bounds.ends_early`), and it is not so deep that
    the parser has given up (`bounds.is_cut`); False where it would take a closer look to know."""
    cdef const xmlNode* node = root._c_node
    cdef const xmlNode* last
    cdef const char* name
    cdef int depth = 0
    last = node.next
    while last != NULL:
        if last.type == XML_ELEMENT_NODE:
            return False
        last = last.next
    last = _last_child(node)
    if last != NULL:
        if last.type != XML_ELEMENT_NODE or last.ns != NULL:
            return False
        name = <const char*> last.name
        if strcmp(name, b"body") and strcmp(name, b"head") and strcmp(name, b"frameset"):
            return False
    while node != NULL and depth < most:
        node = _last_child(node) if node.type == XML_ELEMENT_NODE else NULL
        depth += 1
    return depth < most


cdef const xmlNode* _last_child(const xmlNode* node) noexcept nogil:
    """The last that is a child to lxml."""
    cdef const xmlNode* child = node.last
    while child != NULL and not (
        child.type == XML_ELEMENT_NODE
        or child.type == XML_COMMENT_NODE
        or child.type == XML_ENTITY_REF_NODE
        or child.type == XML_PI_NODE
    ):
        child = child.prev
    return child
