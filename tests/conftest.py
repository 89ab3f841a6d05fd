"""What holds for all tests: a slow machine is no failure, and the table speaks English wherever they run."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from gpiozero import Device
from gpiozero.pins.mock import MockFactory
from hypothesis import HealthCheck, settings
from people import People

from tabletop.store import Store

QUICK_EXAMPLES = 40  # of each property where somebody waits; the slow ones look at 100 (`thorough`), as hypothesis does
settings.register_profile("thorough", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("quick", settings.get_profile("thorough"), max_examples=QUICK_EXAMPLES)
settings.load_profile("quick")
os.environ["LC_ALL"] = "C.UTF-8"


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the longest first, so that no process ends up with one of them alone."""
    items.sort(key=lambda item: item.get_closest_marker("longest") is None)


@pytest.fixture
def people(tmp_path: Path) -> Iterator[People]:
    """Sit down at a live table with an empty store."""
    with Store(tmp_path / "a.db") as store:
        yield People(store)


@pytest.fixture
def _pins() -> Iterator[None]:
    """Put gpiozero's mock pins where the Pi's would be."""
    before = Device.pin_factory
    Device.pin_factory = MockFactory()
    yield
    Device.pin_factory.reset()
    Device.pin_factory = before
