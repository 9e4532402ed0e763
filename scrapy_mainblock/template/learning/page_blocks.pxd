cimport cython

from scrapy_mainblock.outline.buffers.arrays cimport doubles, hashes, ints
from scrapy_mainblock.outline.buffers.hashing cimport Numbers
from scrapy_mainblock.outline.places cimport Places
from scrapy_mainblock.outline.rows cimport Rows

@cython.locals(place=cython.ulonglong, other=cython.Py_ssize_t)
cpdef bint is_alone(Places places, Py_ssize_t block) except -1
@cython.locals(
    rows=Rows, so_far=cython.double[::1], segment=cython.Py_ssize_t, all_kept=cython.double,
    block=cython.int, found=list,
)
cpdef list blocks_around(
    Places places, const double[::1] kept, double share, Py_ssize_t most
)
@cython.locals(
    rows=Rows, count=cython.longlong, numbers=Numbers, blocks=cython.int[::1],
    segments=cython.int[::1], length=cython.int[::1], linked=cython.int[::1],
    position="unsigned long long[::1]", content=cython.double[::1], lines=list,
    segment=cython.Py_ssize_t, block=cython.int, at=cython.Py_ssize_t, text=str,
    chars=cython.Py_ssize_t, likelihood=cython.double, found=list, behind=cython.longlong,
    distinct=dict,
)
cpdef list sums_at_places(
    Places places, list texts, list likely, long long headline, Py_ssize_t longest
)
