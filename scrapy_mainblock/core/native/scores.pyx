"""A forest's scores (`core.forest`): every question once for many rows, in the order of the trees."""

from libc.stdlib cimport free, malloc

cdef enum:
    AT_ONCE = 128  # rows: the answers to all questions about so many stay in the cache


cdef class Trees:
    """A forest as numbers in a row, ready to be asked."""

    cdef int trees, depth, outputs, questions
    cdef int* features  # of each question, and its threshold
    cdef float* thresholds
    cdef int* asked  # the question of each level of each tree
    cdef float* leaves  # by tree, output and leaf
    cdef double* bias

    def __cinit__(
        self,
        const long long[::1] features,
        const float[::1] thresholds,
        const long long[:, ::1] asked,
        const float[:, :, ::1] leaves,
        const double[::1] bias,
    ):
        """`asked` has a row for each level."""
        cdef Py_ssize_t tree, level, output, leaf
        cdef Py_ssize_t leaves_of_tree = leaves.shape[1]
        self.depth, self.trees = <int>asked.shape[0], <int>asked.shape[1]
        self.outputs, self.questions = <int>leaves.shape[2], <int>features.shape[0]
        if leaves_of_tree != 1 << self.depth or leaves.shape[0] != self.trees or not 1 <= self.depth <= 8:
            raise ValueError("the forest's trees are not whole")
        self.features = <int*>malloc(self.questions * sizeof(int) + 1)
        self.thresholds = <float*>malloc(self.questions * sizeof(float) + 1)
        self.asked = <int*>malloc(self.trees * self.depth * sizeof(int) + 1)
        self.leaves = <float*>malloc(self.trees * self.outputs * leaves_of_tree * sizeof(float) + 1)
        self.bias = <double*>malloc(self.outputs * sizeof(double) + 1)
        if not (self.features and self.thresholds and self.asked and self.leaves and self.bias):
            raise MemoryError
        for level in range(self.questions):
            self.features[level] = <int>features[level]
            self.thresholds[level] = thresholds[level]
        for tree in range(self.trees):
            for level in range(self.depth):
                if not 0 <= asked[level, tree] < self.questions:
                    raise ValueError("a question that is none")
                self.asked[tree * self.depth + level] = <int>asked[level, tree]
            for output in range(self.outputs):
                for leaf in range(leaves_of_tree):
                    self.leaves[(tree * self.outputs + output) * leaves_of_tree + leaf] = (
                        leaves[tree, leaf, output]
                    )
        for output in range(self.outputs):
            self.bias[output] = bias[output]

    def __dealloc__(self):
        free(self.features)
        free(self.thresholds)
        free(self.asked)
        free(self.leaves)
        free(self.bias)

    def score(self, const float[:, ::1] columns, double[:, ::1] scores):
        """Fill in the scores of all rows: `columns` has a row of numbers for each feature."""
        cdef Py_ssize_t rows = columns.shape[1], start = 0
        cdef Py_ssize_t question
        if scores.shape[0] != rows or scores.shape[1] != self.outputs:
            raise ValueError("scores of another shape")
        for question in range(self.questions):
            if not 0 <= self.features[question] < columns.shape[0]:
                raise ValueError("a feature that is not there")
        if rows == 0:
            return
        cdef unsigned char* answers = <unsigned char*>malloc(self.questions * AT_ONCE + 1)
        if answers == NULL:
            raise MemoryError
        while start < rows:
            self._score(
                &columns[0, start], rows, min(rows - start, <Py_ssize_t>AT_ONCE), answers,
                &scores[start, 0],
            )
            start += AT_ONCE
        free(answers)

    cdef void _score(
        self, const float* columns, Py_ssize_t width, Py_ssize_t rows, unsigned char* answers,
        double* scores,
    ) noexcept nogil:
        cdef unsigned char leaf[4][AT_ONCE]
        cdef double sums[AT_ONCE]
        cdef const float* column
        cdef const float* leaves
        cdef float threshold
        cdef Py_ssize_t row, question
        cdef Py_ssize_t of_tree = self.outputs << self.depth
        cdef int tree, one, output
        for question in range(self.questions):
            column = columns + self.features[question] * width
            threshold = self.thresholds[question]
            for row in range(rows):
                answers[question * AT_ONCE + row] = column[row] > threshold
        for output in range(self.outputs):
            for row in range(rows):
                sums[row] = 0
            tree = 0
            # Four trees in a round, but one by one to each sum: in another order it is another sum.
            while tree < self.trees:
                for one in range(min(4, self.trees - tree)):
                    _leaves(
                        leaf[one], answers, self.asked + (tree + one) * self.depth, self.depth, rows
                    )
                leaves = self.leaves + tree * of_tree + (output << self.depth)
                if tree + 4 <= self.trees:
                    for row in range(rows):
                        sums[row] = (
                            sums[row]
                            + leaves[leaf[0][row]]
                            + leaves[of_tree + leaf[1][row]]
                            + leaves[2 * of_tree + leaf[2][row]]
                            + leaves[3 * of_tree + leaf[3][row]]
                        )
                else:
                    for one in range(self.trees - tree):
                        for row in range(rows):
                            sums[row] += leaves[one * of_tree + leaf[one][row]]
                tree += 4
            for row in range(rows):
                scores[row * self.outputs + output] = sums[row] + self.bias[output]


cdef void _leaves(
    unsigned char* leaf, const unsigned char* answers, const int* asked, int depth, Py_ssize_t rows
) noexcept nogil:
    """The leaf of a tree that each row comes to: its answers are the bits of the leaf's number."""
    cdef const unsigned char* a = answers + asked[0] * AT_ONCE
    cdef const unsigned char* b
    cdef const unsigned char* c
    cdef const unsigned char* d
    cdef Py_ssize_t row
    cdef int level = 3, bits
    if depth < 3:
        for row in range(rows):
            leaf[row] = a[row]
        level = 1
    else:
        b, c = answers + asked[1] * AT_ONCE, answers + asked[2] * AT_ONCE
        for row in range(rows):
            leaf[row] = <unsigned char>(a[row] + 2 * (b[row] + 2 * c[row]))
    while level + 3 <= depth:  # three levels in a round: to go over all rows for each takes longer
        b, c = answers + asked[level] * AT_ONCE, answers + asked[level + 1] * AT_ONCE
        d = answers + asked[level + 2] * AT_ONCE
        bits = 1 << level
        for row in range(rows):
            leaf[row] = <unsigned char>(leaf[row] + bits * (b[row] + 2 * (c[row] + 2 * d[row])))
        level += 3
    while level < depth:
        b = answers + asked[level] * AT_ONCE
        bits = 1 << level
        for row in range(rows):
            leaf[row] = <unsigned char>(leaf[row] + bits * b[row])
        level += 1
