"""Figures 4 to 8 of [Wang14] over any set of pages: `sweep` counts, `figure` draws, `report` tells.

>>> from scrapy_mainblock.curves import report, sweep
>>> counted = sweep.Sweep()
>>> for source in sources:
...     counted.add(source, sweep.page_kind(source, None))
>>> html = report.render(counted.result())
"""
