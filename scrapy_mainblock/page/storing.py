"""Python's function that sets an attribute, by its name in C: `lazy.pxd` replaces this module."""

PyObject_GenericSetAttr = object.__setattr__
"""Sets an attribute even of a frozen object."""
