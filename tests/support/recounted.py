"""Count an export of matches again, from its CSV alone: nothing of the program is imported, and no rules are known."""

import csv
import json
from collections import defaultdict
from dataclasses import dataclass, field
from io import StringIO
from itertools import groupby
from statistics import mean
from typing import Any

COUNTED, LASTING = ("throw", "keep", "choose"), ("throw", "keep", "choose", "leave", "join", "abandon")


@dataclass
class Evening:
    """One match. kinds: of the events in force. turns: the points of each turn, by player, if nothing was changed."""

    number: int
    game: tuple[str, str]
    players: list[str]
    scores: dict[str, int] = field(default_factory=dict)
    winners: list[str] = field(default_factory=list)
    kinds: list[str] = field(default_factory=list)
    turns: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))
    changed: bool = False

    @property
    def throws(self) -> int:
        return self.kinds.count("throw")


def evenings(text: str) -> list[Evening]:
    """Return the matches of an export that ended with a winner, in its order."""
    rows = csv.DictReader(StringIO(text, newline=""))
    return [one for _, lines in groupby(rows, key=lambda row: row["match"]) if (one := _evening(list(lines))).winners]


def _evening(lines: list[dict[str, str]]) -> Evening:
    start = lines[0]
    options = {name: value for name, value in json.loads(start["options"]).items() if name != "called"}
    match = Evening(int(start["match"]), (start["name"], json.dumps(options)), json.loads(start["players"]))
    before: list[list[str]] = []
    for line in lines[1:]:
        _follow_log(match, line["kind"], line, before)
        if line["kind"] == "match_over":
            match.winners, match.scores = json.loads(line["winners"]), json.loads(line["scores"])
    _follow_turns(match, lines[1:])
    return match


def _follow_log(match: Evening, kind: str, line: dict[str, str], before: list[list[str]]) -> None:
    """Keep the events in force, and who is at the table. before: what was in force before each entry of the log."""
    who = line["player"].removeprefix("'")
    if kind in (*LASTING, "undo", "correct"):
        match.winners = []
    if kind == "undo":
        match.kinds, match.changed = before.pop(), True
    elif kind in (*LASTING, "correct"):
        before.append(list(match.kinds))
    if kind in LASTING:
        match.kinds.append(kind)
    if kind == "correct":
        match.kinds, match.changed = _without(match.kinds, json.loads(line["dropped"])), True
    match.players = [name for name in match.players if (kind, name) != ("leave", who)] + [who] * (kind == "join")


def _follow_turns(match: Evening, lines: list[dict[str, str]]) -> None:
    asked, scored = "", False
    for line in lines:
        kind = line["kind"]
        if kind == "score":
            changes = {name: change for name, change in json.loads(line["changes"]).items() if asked in ("", name)}
            scored = scored or bool(changes)
            for name, change in changes.items():
                match.turns[name].append(change)
        elif kind in ("turn", "match_over"):
            match.turns[asked] += [0] if asked and not scored else []
            asked, scored = line["player"].removeprefix("'"), False
        elif kind in LASTING:
            scored = False


def _without(kinds: list[str], dropped: list[int]) -> list[str]:
    counted = [at for at, kind in enumerate(kinds) if kind in COUNTED]
    return kinds[: counted[min(dropped) - 1]] if dropped else kinds


def totals(matches: list[Evening], name: str) -> dict[str, Any]:
    """Return what one player has done in these matches of one game, by the names of the page's data."""
    own = [match for match in matches if name in match.players]
    with_others = [match for match in own if len(match.players) > 1]
    won = "".join("w" if name in match.winners else " " for match in with_others)
    scores = [match.scores[name] for match in own]
    return {
        "played": len(own), "alone": len(own) - len(with_others), "won": won.count("w"), "highest": max(scores),
        "lowest": min(scores), "mean": round(mean(scores), 1), "streak": len(won) - len(won.rstrip("w")),
        "longest": max(map(len, won.split(" "))), "firsts": [won == "w" for won in won[-10:]],
    }  # fmt: skip
