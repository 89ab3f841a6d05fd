"""What tests of the session share."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from evening import Evening, Start

from tabletop.store import Store


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Begin an evening on a fresh store."""
    with Store(tmp_path / "tabletop.db") as store:
        yield lambda game, **settings: Evening(store, game, **settings)
