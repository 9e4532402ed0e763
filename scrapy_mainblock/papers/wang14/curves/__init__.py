"""Figures 4 to 8 of [Wang14] for any set of pages: `sweep` counts, `figure` draws, `report` writes.

>>> from scrapy_mainblock.papers.wang14.curves import report, sweep
>>> counted = sweep.Sweep()
>>> for page in pages:  # Outlines
...     counted.add(page, sweep.page_kind(page, None))
>>> html = report.render(counted.result())
"""
