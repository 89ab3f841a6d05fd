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

# What computes, draws or plays for long, beside tests/test_odds_*: `make test` runs it without counting lines, which
# takes 2.6 times as long in Python 3.11. The other tests run nine tenths of all lines by themselves.
UNCOUNTED = """
bench by_hand camera_fails cameras games_conformance games_shown games_ten_thousand german hands_seen
hardware_panel joint_throws keeping marked oled oled_games own_games play_killed play_simulated
play_terminal presses pushed_dice quiet readme referee repository_directions repository_package
repository_soak rests setting_up_options settle simulator_players simulator_tray standing steady still_scene
terminal_picture tray_shown undo_evening vision vision_colour walk world_watched
"""
LONGEST = ("test_world_watched", "test_tilt", "test_mutation", "test_vision_photographs")  # minutes each: they go first
QUICK_EXAMPLES = 40  # of each property where somebody waits; the slow ones look at 100 (`thorough`), as hypothesis does
settings.register_profile("thorough", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("quick", settings.get_profile("thorough"), max_examples=QUICK_EXAMPLES)
settings.load_profile("quick")
os.environ["LC_ALL"] = "C.UTF-8"


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the longest first, and mark those whose lines are not counted, before they are chosen by their marks."""
    items.sort(key=lambda item: item.path.stem not in LONGEST)
    uncounted = UNCOUNTED.split()
    for item in items:
        name = item.path.stem.removeprefix("test_")
        if name in uncounted or name.startswith("odds_"):
            item.add_marker("uncounted")


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
