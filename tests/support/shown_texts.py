"""What the table shows in random matches, thrown, sorted and pressed as people do it, slips included."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from random import Random

from table_play import Lying

from tabletop.core.ports import Press
from tabletop.dialogs.commands import Decision, Dialog
from tabletop.dialogs.menu import match_menu
from tabletop.dialogs.mistakes import correct_menu, undo_question
from tabletop.dialogs.setup import setup_dialog
from tabletop.dialogs.setup_state import PlayedMatch, SetupContext, SetupState, Step, unusual
from tabletop.interpret.offers import stop_option
from tabletop.rules import Answer, Match, Request, Throw, game_ids, load
from tabletop.rules.conformance.trial import random_answer, random_options
from tabletop.rules.game import Game
from tabletop.session.match_session import MatchSession
from tabletop.session.snapshotting import snapshot
from tabletop.views.snapshot import Snapshot

MOST_EVENTS = 250  # of one match: enough for a whole Yahtzee of two
MOST_STEPS = 3  # of HOLD at one question
SLIPPING, LEAVING = 0.3, 0.01  # how often
SLIPS = ("lean", "few", "many", "aside", "hold", "bank", "undo", "correct", "menu")
QUESTIONS: Mapping[str, Callable[[Match], Dialog | None]] = {
    "undo": undo_question,
    "correct": correct_menu,
    "menu": match_menu,
}
REASONS = ("leans", "part of it is hidden", "glare", "could be 2 or 5")
MENU_PRESSES = 30  # of which
HOLDS, BANKS = 6, 4  # for one long BANK, in menus
RARE = 0.4  # how often a throw is one that people wait for all evening


def faces(count: int, chance: Random) -> tuple[int, ...]:
    """Throw so many dice; what is rare in life, all alike and runs, comes often."""
    if chance.random() > RARE:
        return tuple(chance.randint(1, 6) for _ in range(count))
    face = chance.randint(1, 6)
    return tuple((face + n - 1) % 6 + 1 for n in range(count)) if chance.random() < RARE else (face,) * count


def evening(game: Game, players: tuple[str, ...], chance: Random) -> Iterator[Snapshot]:
    """Yield what is shown from the first throw to the end of a match with random options."""
    options = random_options(game.all_options, chance)
    if "together" in options:
        options["together"] = False  # told apart by colour, which words of rests do not have
    match = Match(game.id, players, **options)
    session = MatchSession(match)
    table = Lying()
    while not match.over and match.event < MOST_EVENTS:
        yield from slips(session, table, chance)
        yield from looked_through(session, chance)
        if chance.random() < LEAVING and len(match.present) > max(2, game.min_players):
            match.leave(chance.choice(match.present))
        elif match.request.kind != "over":
            session.give(answer(match.request, chance))
    yield shown(session)


def answer(request: Request, chance: Random) -> Answer:
    if request.kind == "roll" and isinstance(request.dice, int):
        return Throw(faces(request.dice, chance))
    return random_answer(request, chance)


def shown(session: MatchSession) -> Snapshot:
    """Return what is shown, with what has just been said where nothing else is hinted."""
    now = snapshot(session, None)
    return now if now.hint else replace(now, hint=session.match.said, why=session.match.why)


def looked_through(session: MatchSession, chance: Random) -> Iterator[Snapshot]:
    """Step through what can be taken, as far as some presses of HOLD go."""
    yield shown(session)
    if session.match.request.kind in ("keep", "choose") and not stop_option(session.match.request):
        for _ in range(chance.randint(0, MOST_STEPS)):
            session.press(Press("hold"), 0.0)
            yield shown(session)


def pressed(asking: Dialog, presses: int, chance: Random) -> Iterator[Snapshot]:
    """Press at random until something is decided: steps often, back now and then."""
    for _ in range(presses):
        yield asking.snapshot
        press = chance.choice((*[Press("hold")] * HOLDS, *[Press("bank")] * BANKS, Press("bank", long=True)))
        led = asking.press(press)
        if isinstance(led, Decision):
            return
        asking = led


def slips(session: MatchSession, table: Lying, chance: Random) -> Iterator[Snapshot]:
    """Do now and then what does not belong: a wrong number of dice, one that leans, a press too many."""
    slip = chance.choice(SLIPS) if chance.random() < SLIPPING else ""
    request = session.match.request
    question = QUESTIONS[slip](session.match) if slip in QUESTIONS else None
    if question is not None:
        yield from pressed(question, MENU_PRESSES, chance)
    elif slip == "lean":
        session.on_rest(table.lean(chance.choice(REASONS)), moving_hint=False)
    elif slip in ("few", "many", "aside") and isinstance(request.dice, int):
        rest = table.throw(*faces(max(1, request.dice + chance.choice((-2, -1, 1, 2))), chance))
        session.on_rest(table.to_rail(table.dice[0][0]) if slip == "aside" else rest, moving_hint=False)
    elif slip in ("hold", "bank"):
        for _ in range(2 if slip == "hold" else 1):
            session.press(Press("hold" if slip == "hold" else "bank"), table.now_s)
            yield shown(session)
    if slip:
        yield shown(session)
        table.dice.clear()
        table.doubts.clear()
        session.on_rest(None)
        session.tray.ignore_current_dice(table.now_s)
        session.notices.hint = ""


def menus(presses: int, players: tuple[str, ...], chance: Random) -> Iterator[Snapshot]:
    """Set matches up with random presses; a decision begins again."""
    games = tuple(load(game)[0] for game in game_ids())
    for _ in range(presses // MENU_PRESSES):
        yield from pressed(start(games, players, chance), MENU_PRESSES, chance)


def start(games: Sequence[Game], players: tuple[str, ...], chance: Random) -> Dialog:
    """Return a table that waits for somebody, with a few matches played, some of them open."""
    played = []
    for number in range(chance.randint(0, 3)):
        game = chance.choice(games)
        settings = unusual(game, random_options(game.all_options, chance))
        seated = players[: chance.randint(1, len(players))]
        played.append(PlayedMatch(number, game, seated, settings[: chance.randint(0, 3)], chance.random() < RARE))
    names = players if played else ()
    recent = tuple(game for game in games if any(match.game is game for match in played))
    known = SetupContext((*recent, *(game for game in games if game not in recent)), len(recent), tuple(played), names)
    spots = [Step("first"), Step("again", games[0], players), Step("joins", games[0], players[:2], seats=players[2:])]
    return setup_dialog(SetupState(known, (chance.choice(spots),)))
