"""Lines of pages, counted: `linetally.LineTally.add` and what it counts with."""

from cpython.object cimport PyObject_Hash
from libc.stdint cimport int32_t, int64_t

from sys import intern

import numpy as np


def keys_of(page, dict numbers, Py_ssize_t telling, int64_t most_places, int hash_bits):
    """`LineTally.keys_in_python`: a page's lines, each by a number for it and by one for it at its place."""
    cdef dict on_page = {}
    cdef list found = []
    cdef int64_t mask = (<int64_t>1 << hash_bits) - 1
    cdef int64_t number, key
    cdef Py_ssize_t count = 0, at = 0
    cdef list pairs = list(page)
    for place, lines in pairs:
        count += len(lines)
    standing = np.empty(count, dtype=np.int64)
    cdef int64_t[::1] out = standing
    for place, lines in pairs:
        known = numbers.get(place)
        if known is None:
            known = numbers[intern(place)] = len(numbers)
        number = known
        if number >= most_places:
            break
        for line in lines:
            # A long line is the same wherever it stands, a short one only at its place.
            if len(<str>line) >= telling:
                key = PyObject_Hash(line) & mask
            else:
                key = PyObject_Hash((place, line)) & mask
            on_page[key] = line
            out[at] = number << hash_bits | key
            at += 1
    return standing[:at], on_page


def counted(
    const int64_t[::1] keys, int32_t[::1] counts, const int32_t[::1] since,
    const int64_t[::1] added, const int64_t[::1] order, int64_t added_before,
):
    """`linetally.Counts.add`: the three arrays with numbers `added` to them, whose `order` is from
    the least up, and which of these were counted for the second time, by their places.
    """
    cdef Py_ssize_t n = keys.shape[0], k = added.shape[0], one, at = 0, to = 0, fresh = 0, of
    if not counts.shape[0] == since.shape[0] == n or order.shape[0] != k:
        raise ValueError("counts of other numbers")
    twice = []
    for one in range(k):  # those that are known
        of = order[one]
        while at < n and keys[at] < added[of]:
            at += 1
        if at < n and keys[at] == added[of]:
            counts[at] += 1
            if counts[at] == 2:
                twice.append(of)
        else:
            fresh += 1
    twice.sort()
    if not fresh:
        return None, None, None, twice
    new_keys = np.empty(n + fresh, dtype=np.int64)
    new_counts = np.empty(n + fresh, dtype=np.int32)
    new_since = np.empty(n + fresh, dtype=np.int32)
    cdef int64_t[::1] keys_out = new_keys
    cdef int32_t[::1] counts_out = new_counts
    cdef int32_t[::1] since_out = new_since
    at = 0
    for one in range(k):
        of = order[one]
        while at < n and keys[at] < added[of]:
            keys_out[to], counts_out[to], since_out[to] = keys[at], counts[at], since[at]
            at += 1
            to += 1
        if at < n and keys[at] == added[of]:
            continue
        keys_out[to], counts_out[to] = added[of], 1
        since_out[to] = <int32_t>(added_before + of)
        to += 1
    while at < n:
        keys_out[to], counts_out[to], since_out[to] = keys[at], counts[at], since[at]
        at += 1
        to += 1
    return new_keys, new_counts, new_since, twice
