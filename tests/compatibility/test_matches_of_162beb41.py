"""A match of every game and preset, played by chance with commit 162beb41: today's rules make the same of it."""

import json
import zipfile
from collections import Counter
from pathlib import Path

from tabletop.core.errors import ReplayError
from tabletop.rules import Event, Match

FILE = Path(__file__).parent / "files-162beb41" / "matches-by-chance.zip"
with zipfile.ZipFile(FILE) as archive:
    MATCHES = [json.loads(line) for line in archive.read("matches.jsonl").splitlines()]
CHANGED = {  # rules that were changed on purpose since, with one match each that meets the change
    ("liars-dice", "perudo"): "a palifico round has no exact",
    ("liars-dice", "dudo"): "a player with one die may change the face in a palifico round",
    ("mexico", "wikipedia"): "play-offs go in seat order",
    ("mexico", "mexico-doubles"): "play-offs go in seat order",
}


def test_scores_sheets_and_winners_are_the_same() -> None:
    """All but the matches that meet a changed rule: these are refused and not replayed wrongly.

    A sheet may have got another row, as that of Bunco.
    """
    refused = Counter[tuple[str, str]]()
    for then in MATCHES:
        events = [Event.from_json(event) for event in then["log"]]
        kind = then["game"], then["options"]["rules"]
        try:
            match = Match.replay(then["game"], then["players"], then["options"], events)
        except ReplayError:
            refused[kind] += 1
            continue
        state = json.loads(json.dumps(match.state()))
        assert {name: state[name] for name in ("scores", "winners")} == {
            name: then[name] for name in ("scores", "winners")
        }, kind
        assert {row: state["sheet"].get(row) for row in then["sheet"]} == then["sheet"], kind
    assert refused == dict.fromkeys(CHANGED, 1)
