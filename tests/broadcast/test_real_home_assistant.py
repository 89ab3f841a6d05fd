"""Home Assistant beside a real Mosquitto: the device appears, its entities follow a match, an automation runs."""

import os
import re
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from booted_machine import ROOT, why_not
from home_assistant import HomeAssistant, home_root, running
from mosquitto import broker, free_port
from told_table import Table, at

from tabletop.rules import Choose, Match, Throw
from tabletop.session.snapshotting import snapshot

pytestmark = [pytest.mark.soak, pytest.mark.longest]
UNKNOWN, AWAY = "unknown", "unavailable"
BEN = 'B"en{{1}}}}'  # a name that would hurt a template
EVENT = "event.dice_table_event"
COMPLAINT = re.compile(
    r"^.*(?:WARNING|ERROR).*\[homeassistant\.(?:components\.mqtt\.(?!client)|helpers\.template).*$", re.MULTILINE
)
PAGE = ROOT / "docs" / "connecting.md"


def _automation() -> str:
    """Return the automation of the page, with what it says kept in an entity that can be read."""
    (found,) = re.findall(r"```yaml\n(.*?)```", PAGE.read_text(), re.DOTALL)
    text = str(found).replace("notify.notify", "input_text.set_value")
    text = text.replace("      message:", "      entity_id: input_text.said\n      value:")
    return "automation:\n  - " + text.rstrip().replace("\n", "\n    ") + "\ninput_text:\n  said:\n"


def _states(home: HomeAssistant, **wanted: str) -> dict[str, Any]:
    return home.until({f"sensor.dice_table_{name}": state for name, state in wanted.items()})


def test_entities_follow_a_match(tmp_path: Path) -> None:
    if why_not() and "CI" not in os.environ:
        pytest.skip(why_not())
    root, config = home_root(ROOT / "build" / "debian"), tmp_path / "config"
    config.mkdir()
    with (
        broker(tmp_path, "persistence false") as own,
        running(root, config, free_port(), own.port, _automation()) as home,
    ):
        with closing(Table(tmp_path, at(own.port))) as played:
            played.session = played.library.begin(Match("pig", ["Ann", BEN], target=10))
            played.show()
            _states(home, turn="Ann", game="Pig", score_1="0", score_2="0", winner=UNKNOWN, throw=UNKNOWN)
            played.answer(Throw((6,)))
            event = home.until_event(EVENT, "throw")
            assert (event["player"], event["faces"], event["notation"]) == ("Ann", [6], "1d6[6]")
            states = _states(home, throw="1d6[6]", score_1="0")
            assert states["sensor.dice_table_score_2"]["attributes"]["friendly_name"].endswith(BEN)
            played.answer(Choose("bank"))
            _states(home, turn=BEN, score_1="6", score_2="0")
            help_entity = "binary_sensor.dice_table_help"
            assert home.states()[help_entity]["state"] == "off"
            played.hub.show(replace(snapshot(played.session, None), hint="which face?"), None, 0.0)
            home.until({help_entity: "on", "input_text.said": "The dice table needs help"})
            played.show()
            home.until({help_entity: "off"})
            played.answer(Throw((5,)), Choose("roll"), Throw((5,)), Choose("bank"))
            _states(home, winner=BEN, score_2="10")
            home.until({"input_text.said": f"{BEN} won"})
            assert home.until_event(EVENT, "table")["state"] == "over"

            played.session = played.library.begin(Match("pig", ["Cid", "Dan", "Eve"]))
            played.show()
            states = _states(home, turn="Cid", score_1="0", score_2="0", score_3="0", winner=UNKNOWN)
            assert states["sensor.dice_table_score_1"]["attributes"]["friendly_name"].endswith("Cid")
            played.session = played.library.begin(Match("pig", ["Ann", "Ben"]))
            played.show()
            _states(home, turn="Ann", score_1="0")  # the third score has no player until the next description
            home.until_gone("sensor.dice_table_score_3")
            own.kill()
            _states(home, turn=AWAY)
            own.start()
            _states(home, turn="Ann", score_2="0")
            device = home.render("{{ device_attr(device_id('sensor.dice_table_turn'), 'name') }}")
            assert device == "Dice table"
            assert "sensor.dice_table_score_2" in home.states()
        _states(home, turn=AWAY, score_1=AWAY)
        log = (config / "home-assistant.log").read_text()
        assert COMPLAINT.findall(log) == []
