"""Spark: learn each site in one task, and extract each page wherever it is stored."""

from __future__ import annotations

try:
    import pandas  # noqa: F401 - pyspark asks for it wherever Arrow is used
    import pyarrow  # noqa: F401
    import pyspark  # noqa: F401
except ImportError as error:
    message = 'Spark needs an extra: pip install "scrapy-mainblock[spark]"'
    raise ImportError(message) from error
