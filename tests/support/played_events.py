"""Matches played with random answers, undos and corrections, for tests of their events; and the published schema."""

import json
from pathlib import Path
from random import Random
from typing import Any

from jsonschema import Draft202012Validator, FormatChecker

from tabletop.core.values import Moment
from tabletop.rules import Match
from tabletop.rules.conformance.trial import random_answer
from tabletop.rules.events import COUNTED
from tabletop.session.match_library import MatchLibrary
from tabletop.session.match_session import MatchSession
from tabletop.store import Store

AT = "2026-11-28T18:00:00.000Z"
SCHEMA = json.loads((Path(__file__).parents[2] / "docs/events-v1.json").read_text(encoding="utf-8"))
VALID = Draft202012Validator(SCHEMA, format_checker=FormatChecker())
MOST_ANSWERS = 60  # of a long game: enough for each kind of event
UNDONE, CORRECTED = 0.05, 0.1  # shares of the answers

Line = dict[str, Any]


def played(path: Path, match: Match, seed: int) -> tuple[MatchSession, list[Line]]:
    """Play a match with random answers, undos and corrections; return it, and the lines of `play --json`."""
    lines, chance = list[Line](), Random(seed)
    with Store(path) as store:
        library = MatchLibrary(store, lambda: Moment(AT), lambda line: lines.append(dict(line)), registers=True)
        session = library.begin(match)
        for _ in range(MOST_ANSWERS):
            which = chance.random()
            if session.match.over:
                break
            if session.match.event and which < UNDONE:
                session.undo(1, 0.0)
            elif session.match.event and which < CORRECTED:
                number = chance.randint(1, session.match.event)
                request = [event.request for event in session.match.events if event.kind in COUNTED][number - 1]
                assert request is not None
                session.correct(number, random_answer(request, chance), 0.0)
            else:
                session.give(random_answer(session.match.request, chance))
    return session, lines
