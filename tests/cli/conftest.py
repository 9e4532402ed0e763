from __future__ import annotations

import pytest
from command import Mainblock


@pytest.fixture
def mainblock(capsys: pytest.CaptureFixture[str]) -> Mainblock:
    return Mainblock(capsys)
