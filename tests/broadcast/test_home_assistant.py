"""How a table describes itself: held to Home Assistant's rules for discovery, and to the vocabulary of events."""

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from tabletop.broadcast.home_assistant import MOST_SCORES, description
from tabletop.broadcast.state import state_of
from tabletop.views.i18n.catalogue import load_language
from tabletop.views.snapshot import Snapshot

ROOT = Path(__file__).resolve().parents[2]
RULES = json.loads((ROOT / "tests" / "data" / "home_assistant_discovery.json").read_text())
VALID = Draft202012Validator(RULES)
EVENTS = json.loads((ROOT / "docs" / "events-v1.json").read_text())


def _described(players: tuple[str, ...] = (), language: str = "en", table: str = "dice-table") -> dict[str, Any]:
    snapshot = Snapshot(players=players, scores=(0,) * len(players), language=load_language(language))
    found = description(table, "1.0", state_of(snapshot))
    for component in found["components"].values():
        if len(component) > 1:  # as Home Assistant merges them
            component.update({name: found[name] for name in RULES["shared"] if name in found and name not in component})
    VALID.validate(found)
    return found


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("players", [(), ("Ann",), ('Jürgen "}} x', "{{ 1 }}", "😀"), tuple("abcdefghijklmnop")])
def test_description_follows_home_assistants_rules(players: tuple[str, ...], language: str) -> None:
    components = _described(players, language)["components"]
    scores = [one for name, one in components.items() if name.startswith("score_")]
    assert len(scores) == MOST_SCORES
    shown = [one["name"] for one in scores if len(one) > 1]
    assert shown == list(players)[:MOST_SCORES]
    assert not any(name in json.dumps(one["value_template"]) for name in players[:1] for one in scores if len(one) > 1
                   and len(name) > 3)  # fmt: skip


def test_ids_are_the_same_in_any_language_and_match() -> None:
    first, second = (_described(*how)["components"] for how in ((("Ann", "Ben"), "en"), (("Cid",), "de")))
    for name, component in second.items():
        if len(component) > 1:
            assert component["unique_id"] == first[name]["unique_id"]
            assert component["default_entity_id"] == first[name]["default_entity_id"]
    assert first["turn"]["name"] != second["turn"]["name"]
    assert second["score_2"] == {"platform": "sensor"}


def test_event_entity_knows_every_kind_of_the_published_schema() -> None:
    kinds = {
        own["properties"]["kind"]["const"] for own in EVENTS["$defs"].values() if "kind" in own.get("properties", {})
    }
    event = _described()["components"]["event"]
    assert set(event["event_types"]) == kinds
    assert len(kinds) > 10
    assert event["state_topic"] == "tabletop/dice-table/events"
