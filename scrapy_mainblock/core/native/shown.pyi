from collections.abc import Iterable, Sequence

from scrapy_mainblock.core.native.walk import Recording

def show(
    pages: Iterable[tuple[Recording, Sequence[bool] | None]], base: str | None
) -> tuple[str, str]: ...
