"""A page for every test of one, and a browser as large as a phone for those in a real Chromium."""

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from browser import PHONE, Browser, is_there

from tabletop.interpret.press_table import REALLY_ROLL
from tabletop.session.snapshotting import ROLL_OR_BANK
from tabletop.views.snapshot import Snapshot
from tabletop.web.listening import listen
from tabletop.web.page import DEVICES, Page

TABLE = Snapshot("Pig", ("Ann", "Ben"), (3, 7), "Ann", ROLL_OR_BANK, 8, hold=REALLY_ROLL, bank="bank")


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """Open the browser once for all tests."""
    if not is_there() and "CI" not in os.environ:  # there it is installed, or the test fails
        pytest.skip("needs Chromium (Debian packages chromium and chromium-driver)")
    with Browser(*PHONE) as browser:
        yield browser


@pytest.fixture
def phone(chromium: Browser) -> Iterator[Browser]:
    """Hold a small phone that no table has let in yet."""
    chromium.cdp("Network.clearBrowserCookies", {})
    yield chromium
    chromium.open("about:blank")
    chromium.resize(*PHONE)


@contextmanager
def serving(folder: Path) -> Iterator[Page]:
    """Serve the turn of Ann, who has simulated dice."""
    opened = Page(listen("local", 0), time.monotonic, folder / DEVICES, simulated=True)
    opened.show(TABLE, None, time.monotonic())
    yield opened
    opened.close()


@pytest.fixture
def page(tmp_path: Path) -> Iterator[Page]:
    """Serve a table that the test itself plays."""
    with serving(tmp_path) as opened:
        yield opened


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    """Serve a table to tests that change nothing."""
    with serving(tmp_path_factory.mktemp("served")) as opened:
        yield opened
