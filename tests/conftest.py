"""What holds for all tests: a slow machine is no failure, the table speaks English, the system has no fonts."""

import gc
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from gpiozero import Device
from gpiozero.pins.mock import MockFactory
from hypothesis import HealthCheck, settings
from people import People
from somebody import Somebody

from tabletop.store import Store

QUICK_EXAMPLES = 40  # of each property where somebody waits; the slow ones look at 100 (`thorough`), as hypothesis does
settings.register_profile("thorough", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("quick", settings.get_profile("thorough"), max_examples=QUICK_EXAMPLES)
settings.load_profile("quick")
os.environ["LC_ALL"] = "C.UTF-8"
os.environ["XDG_DATA_DIRS"] = os.devnull  # whatever fonts the system has, the display draws the same


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Put the longest first in the share of each process, so that none ends up with one of them alone.

    xdist deals out the list in as many equal pieces as there are processes. The long tests of a module stay together:
    what they share is made once, and nobody waits for it in another process.
    """
    processes = getattr(config, "workerinput", {"workercount": 1})["workercount"]
    longest = [item for item in items if item.get_closest_marker("longest") is not None]
    modules = list(dict.fromkeys(item.nodeid.partition("::")[0] for item in longest))
    others = [item for item in items if item.get_closest_marker("longest") is None]
    share = len(others) // processes
    items[:] = [
        item
        for process in range(processes)
        for item in (
            *(item for item in longest if modules.index(item.nodeid.partition("::")[0]) % processes == process),
            *others[process * share : (process + 1) * share if process < processes - 1 else None],
        )
    ]


def pytest_collection_finish() -> None:
    """Let the collector of garbage pass over the thousands of tests themselves, which took it a tenth of the time."""
    gc.collect()
    gc.freeze()


@pytest.fixture
def people(tmp_path: Path) -> Iterator[People]:
    """Sit down at a live table with an empty store."""
    with Store(tmp_path / "a.db") as store:
        yield People(store)


@pytest.fixture
def alone(tmp_path: Path) -> Iterator[Somebody]:
    """Sit down at a table without a camera."""
    with Store(tmp_path / "a.db") as store:
        yield Somebody(store, no_camera=True)


@pytest.fixture
def watched(tmp_path: Path) -> Iterator[Somebody]:
    """Sit down at a table whose camera sees what one lays there."""
    with Store(tmp_path / "a.db") as store:
        yield Somebody(store, no_camera=False)


@pytest.fixture
def _pins() -> Iterator[None]:
    """Put gpiozero's mock pins where the Pi's would be."""
    before = Device.pin_factory
    Device.pin_factory = MockFactory()
    yield
    Device.pin_factory.reset()
    Device.pin_factory = before
