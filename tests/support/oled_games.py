"""What the small screen shows of every game, out of random matches."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random

import numpy as np
from numpy.typing import NDArray
from PIL import Image
from table_play import Lying

from tabletop.dialogs.menu import match_menu
from tabletop.dialogs.setup import setup_dialog
from tabletop.dialogs.setup_state import SetupContext, SetupState, Step
from tabletop.interpret.offers import stop_option
from tabletop.rules import Answer, Choose, Match, load
from tabletop.rules.conformance.trial import random_answer
from tabletop.session.cheers import highlights
from tabletop.session.match_session import MatchSession
from tabletop.session.snapshotting import Course, snapshot
from tabletop.views.i18n.catalogue import ENGLISH, Language
from tabletop.views.i18n.translate import translated
from tabletop.views.oled.screen import draw, pages
from tabletop.views.snapshot import Snapshot

PLAYERS = ("Wilhelmina-A", "Bartholomäus", "Élodie", "Śćibor", "Maximilianus", "Jo")
HEIGHTS_PX = (64, 32)
WIDTH_PX = 128
MOST_PAGES = 6  # of one moment; sheets of six players have more of the same
MOST_OPTIONS = 6
STOPS = 0.4  # how often somebody stops who could roll on
FEW_EVENTS = 12  # before something worth showing stands on the sheet
GOLDEN = Path(__file__).parents[1] / "golden" / "oled-games"


@cache
def moments(
    game_id: str, most: int = len(PLAYERS), names: tuple[str, ...] = PLAYERS
) -> dict[str, tuple[Snapshot, ...]]:
    """Return what each kind of moment of a random match shows, and of the menus. most: players."""
    game, _ = load(game_id)
    players = names[: min(most, game.max_players)]
    found: dict[str, Snapshot] = {}
    session, course = None, Course()
    for session in _match(game_id, players):
        if not _may_be_new(session.match, found):
            continue
        now = replace(snapshot(session, None), course=course.of(session.match))
        for kind in _kinds(session, now):
            stake = found[kind].at_stake if kind in found else None
            if stake is None or (kind in {"stake", "keep"} and now.at_stake > stake):
                found[kind] = now
        if "hint" not in found and session.match.event >= FEW_EVENTS:
            found |= _hinted(session)
    assert session is not None
    whole = course.whole(session.match)
    found["end"] = replace(
        snapshot(session, None), course=course.of(session.match), highlights=highlights(session.match, whole)
    )
    way = SetupState(SetupContext((game,)), (Step("start", game, players),))
    asked = setup_dialog(way.go("options")).snapshot
    assert asked.menu is not None
    steps = tuple(
        replace(asked, menu=replace(asked.menu, at=at)) for at in range(min(MOST_OPTIONS, len(asked.menu.items)))
    )
    shown = {kind: (now,) for kind, now in sorted(found.items())}
    return shown | {"menu": (match_menu(session.match).snapshot,), "set-up": (setup_dialog(way).snapshot, *steps)}


def _match(game_id: str, players: tuple[str, ...]) -> Iterator[MatchSession]:
    """Play a random match to its end; yield it at each question."""
    chance = Random(f"{game_id} shown small")
    session = MatchSession(Match(game_id, players))
    yield session
    while not session.match.over:
        session.give(_answer(session, chance))
        yield session


def _answer(session: MatchSession, chance: Random) -> Answer:
    stop = stop_option(session.match.request)
    return Choose(stop) if stop and chance.random() < STOPS else random_answer(session.match.request, chance)


def _may_be_new(match: Match, found: Mapping[str, Snapshot]) -> bool:
    """Return whether this moment may be of a kind that was not found yet, or with more at stake: pictures take long."""
    request, stake = match.request, match.at_stake
    if not match.event or ("hint" not in found and match.event >= FEW_EVENTS):
        return True
    if request.kind == "roll":
        kinds = {"throw" if request.player else "all-throw", "between"}
    elif request.kind == "choose":
        kinds = {"stake" if stop_option(request) else "choice"}
    else:
        kinds = {"keep"} if request.kind == "keep" else {request.kind, "between"}
    if stake:
        kinds.add("stake")
    return any(kind not in found or (kind in {"stake", "keep"} and stake > found[kind].at_stake) for kind in kinds)


def _kinds(session: MatchSession, now: Snapshot) -> Iterator[str]:
    request, events = session.match.request, session.match.event
    if not events:
        yield "start"
    if request.kind == "roll" and events and not now.between:
        yield "throw" if request.player else "all-throw"
    if now.between and events >= FEW_EVENTS:
        yield "between"
    if request.kind in {"keep", "hide", "claim"}:
        yield request.kind
    if request.kind == "choose":
        yield "stake" if stop_option(request) else "choice"
    if now.at_stake:
        yield "stake"


def _hinted(session: MatchSession) -> dict[str, Snapshot]:
    """Return what is shown where a die is missing, and where one leans; nothing where no throw of one player is due."""
    request, table = session.match.request, Lying()
    if request.kind != "roll" or not isinstance(request.dice, int):
        return {}
    found = {}
    session.on_rest(table.throw(*[3] * (request.dice + 1)), moving_hint=False)
    found["hint"] = snapshot(session, None)
    table.dice.clear()
    session.on_rest(table.lean("could be 4 or 5"), moving_hint=False)
    found["hint-leans"] = snapshot(session, None)
    session.on_rest(None)
    session.tray.ignore_current_dice(table.now_s)
    session.notices.hint = ""
    return found


def rows(game_id: str, height: int, language: Language = ENGLISH) -> Iterator[tuple[str, list[NDArray[np.bool_]]]]:
    for kind, shown in moments(game_id).items():
        told = [translated(now, language) for now in shown]
        drawn = [draw(now, WIDTH_PX, height, page) for now in told for page in range(pages(now, WIDTH_PX, height))]
        yield kind, drawn[:MOST_PAGES]


def picture(game_id: str, height: int) -> Image.Image:
    """Return all moments of a game, one below the other, one bit a pixel."""
    whole = np.vstack([np.hstack(_filled(drawn, height)) for _, drawn in rows(game_id, height)])
    return Image.fromarray(whole)


def _filled(drawn: list[NDArray[np.bool_]], height: int) -> list[NDArray[np.bool_]]:
    return drawn + [np.zeros((height, WIDTH_PX), dtype=np.bool_)] * (MOST_PAGES - len(drawn))
