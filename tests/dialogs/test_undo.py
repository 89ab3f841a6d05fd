"""Long BANK in play: it shows what it would take back, readably, and makes up for a BANK that was forgotten."""

from collections.abc import Iterator
from itertools import chain, combinations
from random import Random

import pytest
from oled_games import HEIGHTS_PX, PLAYERS, WIDTH_PX
from oled_snapshots import apart

from tabletop.core.ports import Press
from tabletop.dialogs.commands import Decision, Dialog, MenuAction, TakeBack
from tabletop.dialogs.mistakes import LEAVE_IT, UndoDialog, correct_menu, undo_question
from tabletop.interpret import obvious
from tabletop.interpret.log_views import draft_undo
from tabletop.interpret.offers import stop_option
from tabletop.rules import Choose, Match, Throw, game_ids, load
from tabletop.rules.conformance.trial import random_answer, random_options
from tabletop.views.i18n.catalogue import load_language
from tabletop.views.i18n.translate import translated
from tabletop.views.oled.screen import layout
from tabletop.views.snapshot import Snapshot

BANK, HOLD, LONG_BANK = Press("bank"), Press("hold"), Press("bank", long=True)
SEATED = ["Ann", "Ben", "Cleo"]


def _offers(match: Match) -> list[tuple[str, str]]:
    """Return what HOLD walks through: labels and notes."""
    asked, offers = undo_question(match), list[tuple[str, str]]()
    assert asked is not None
    for _ in range(20):
        assert isinstance(asked, UndoDialog)
        menu = asked.snapshot.menu
        assert menu is not None
        offers.append((menu.items[menu.at], menu.note))
        if len(offers) == len(menu.items):
            break
        asked = asked.press(HOLD)  # type: ignore[assignment]  # asserted at the next turn
    return offers


def _pig(*answers: str | int, players: list[str] | None = None, **options: object) -> Match:
    match = Match("pig", players or SEATED, **options)
    for answer in answers:
        match.apply(*match.draft(Throw((answer,)) if isinstance(answer, int) else Choose(answer)))
    return match


def _ten_thousand(*thrown: int) -> Match:
    match = Match("ten-thousand", SEATED)
    match.throw(thrown)
    _answer_obvious(match)
    return match


def _three_kept() -> Match:
    """Return a match in which Ann has three dice to throw, and has thrown them."""
    match = _ten_thousand(1, 1, 1, 2, 3, 4)
    match.keep((1, 1, 1))
    match.choose("roll")
    match.throw((5, 5, 2))
    return match


def _answer_obvious(match: Match) -> None:
    while answers := obvious(match.request):
        match.apply(*match.draft(*answers))


def _left(match: Match, name: str) -> Match:
    match.leave(name)
    return match


def _corrected(match: Match) -> Match:
    match.correct(1, [6])
    return match


LEAVE = (LEAVE_IT, "nothing is taken back")
BENS = "Ann banked first, this throw is Ben's"

# the match, and what is offered for it: the first of the labels, each with its note
OFFERS: list[tuple[Match, list[tuple[str, str]]]] = [
    (_pig(4), [("Ann: threw 4", ""), LEAVE]),
    (_pig(4, "bank"), [("Ann: banked 4", "Ann: -4 points"), LEAVE]),  # what a bank wrote down would be gone
    # what was kept by the table itself goes with its throw, and is named
    (_ten_thousand(1, 2, 3, 4, 4, 6), [("Ann: threw 1 2 3 4 4 6", "Ann: kept 1")]),
    # a correction and a leave are entries like any other
    (_corrected(_pig(4, "bank", 3)), [("Ann: corrected, threw 6", "Ann: -2 points")]),
    (_left(_pig(4, "bank", 3), "Cleo"), [("Cleo: left", "")]),
    (_pig(6, "bank", target=6), [("Ann: banked 6", "Ann: -6 points; the match goes on")]),
    # BANK was forgotten: the throw by which somebody rolled on is offered to the next player
    (_pig(4, "roll", 5), [(BENS, "Ann: +4 points; Ben: threw 5"), ("Ann: threw 5", ""), LEAVE]),
    (_pig(4, "roll", 1), [(BENS, "Ann: +4 points; Ben: threw 1")]),  # it cost the turn, and is found in the log
    (  # Ben banked as if it were his turn: undo is more likely then, and his bank comes along with the slip
        _pig(4, "roll", 5, "bank"),
        [("Ann: banked 9", "Ann: -9 points"), (BENS, "Ann: -5 points; Ben: +5 points; Ben: threw 5; Ben: banked 5")],
    ),
    (  # Ben threw twice: both can be his
        _pig(4, "roll", 5, "roll", 6),
        [
            (BENS, "Ann: +9 points; Ben: threw 6"),
            ("Ann: threw 6", ""),
            ("Ann banked first, 2 throws are Ben's", "Ann: +4 points; Ben: threw 5; Ben: rolled on; Ben: threw 6"),
            LEAVE,
        ],
    ),
    (
        _pig(4, "roll", 5, target=4),
        [("Ann banked first, Ann wins", "Ann: +4 points; Ann wins; one answer is lost; Ann: threw 5")],
    ),
    # nobody can have forgotten it: three dice were due to Ann, six are to Ben; Ben answered in his own name; nothing
    # that was given before somebody left can be replaced; nobody else can have thrown
    (_three_kept(), [("Ann: threw 5 5 2", ""), LEAVE]),
    (_pig(4, "roll", 1, 3), [("Ben: threw 3", ""), LEAVE]),
    (_left(_pig(4, "roll", 5), "Ann"), [("Ann: left", ""), LEAVE]),
    (_pig(4, "roll", 5, players=["Ann"]), [("Ann: threw 5", ""), LEAVE]),
]


@pytest.mark.parametrize(("match", "offers"), OFFERS)
def test_what_long_bank_offers(match: Match, offers: list[tuple[str, str]]) -> None:
    assert _offers(match)[: len(offers)] == offers


def test_nothing_to_undo() -> None:
    assert undo_question(_pig()) is None
    match = _pig(3)
    match.undo()
    assert undo_question(match) is None


def test_bank_and_the_same_long_bank_take_what_is_shown() -> None:
    """Both take; HOLD walks on to "leave it", and a BANK that is still held down from the opening does nothing."""
    question = undo_question(_pig(4))
    assert question is not None
    assert question.press(BANK) == question.press(LONG_BANK) == TakeBack(1)
    assert question.press(Press("bank", repeat=True)) == question
    left = question.press(HOLD)
    assert isinstance(left, UndoDialog)
    assert left.press(BANK) == left.press(LONG_BANK) == MenuAction.STAY


def test_the_bottom_line_says_what_bank_does() -> None:
    asked, labels = undo_question(_pig(4, "roll", 5)), []
    for _ in range(3):
        assert isinstance(asked, UndoDialog)
        labels.append((asked.snapshot.hold, asked.snapshot.bank))
        asked = asked.press(HOLD)  # type: ignore[assignment]  # asserted at the next turn
    assert labels == [("next", "yes"), ("next", "undo"), ("next", "leave")]


def _forgotten_banks(game: str, chance: Random, answers: int) -> int:
    """Where a throw rolled on, compare the first offer with that of BANK; return how often others could throw."""
    options = random_options(load(game)[0].all_options, chance)
    match, checked = Match(game, SEATED, **{**options, **({"together": False} if "together" in options else {})}), 0
    for _ in range(answers):
        if match.over:
            break
        rolls_on = stop_option(match.request) is not None and chance.random() < 0.7  # a match in which many roll on
        match.apply(*match.draft(Choose("roll") if rolls_on else random_answer(match.request, chance)))
        _answer_obvious(match)
        given = [at for at, event in enumerate(match.events) if event.request and not obvious(event.request)]
        right = _as_if_banked(match, *given[-2:]) if len(given) > 1 else None
        question = undo_question(match)
        assert question is not None
        taken = question.press(BANK)
        assert isinstance(taken, TakeBack)
        assert bool(taken.answers) == (right is not None)
        if right is not None:
            ours = Match.replay(game, match.seated, match.options, match.log)
            ours.apply(*draft_undo(ours, taken.entries, taken.answers))
            assert ours.state() == right.state()
            checked += 1
    return checked


def _as_if_banked(match: Match, rolled_on: int, thrown: int) -> Match | None:
    """Play the match again with a stop in place of rolling on; None where the throw cannot be another player's."""
    slip, newest = match.events[rolled_on], match.events[thrown]
    stop = stop_option(slip.request) if slip.request else None
    if stop is None or slip.value != "roll" or newest.player != slip.player or not isinstance(newest.value, tuple):
        return None
    right = Match(match.game.id, match.seated, **match.options)
    right.apply(*match.events[:rolled_on])
    right.choose(stop)
    _answer_obvious(right)
    if right.over:
        return right
    if right.request.player == slip.player or right.request.dice != len(newest.value):
        return None
    right.throw(newest.value)
    _answer_obvious(right)
    return right


ASK_ROLL_OR_STOP = {
    *("pig", "two-dice-pig", "ten-thousand", "twenty-one", "sevens", "roll-your-luck", "the-dice-game"),
    "mexico",
}  # by their rule texts; in Ship, Captain, Mate and Crew the next player throws five dice, and who rolls on two


@pytest.mark.parametrize("game", ["pig", "ten-thousand", "twenty-one"])
def test_a_forgotten_bank_leads_where_the_bank_would_have_led(game: str) -> None:
    """The referee plays the same match again with the bank in its place: both matches are the same."""
    assert sum(_forgotten_banks(game, Random(seed), 60) for seed in range(3)) > 0


@pytest.mark.slow
def test_in_no_game_a_forgotten_bank_leads_elsewhere() -> None:
    """Every game whose text asks to roll or to stop, and no other one."""
    found = {game for game in game_ids() if any(_forgotten_banks(game, Random(seed), 100) for seed in range(4))}
    assert found == ASK_ROLL_OR_STOP


GERMAN = load_language("de")
MOST_PRESSES = 8
FEW = ("pig", "ten-thousand", "yahtzee", "everest")


def _shown(asked: Dialog | Decision | None, *buttons: Press) -> Iterator[Snapshot]:
    for press in buttons:
        if asked is None or isinstance(asked, Decision):
            return
        yield asked.snapshot
        asked = asked.press(press)


def _questions(game: str) -> Iterator[Snapshot]:
    chance, hold, bank = Random(game), Press("hold"), Press("bank")
    match = Match(game, PLAYERS[: load(game)[0].max_players])
    for count in range(40):
        if match.over:
            return
        match.apply(*match.draft(random_answer(match.request, chance)))
        if count % 8 == 7:
            yield from _shown(undo_question(match), *[hold] * MOST_PRESSES)
            yield from _shown(correct_menu(match), hold, bank, bank, hold, bank, hold)


def _check(now: Snapshot, height: int) -> None:
    """Check that the chosen line begins on the first page, and that it and its note stand whole on the pages."""
    menu = now.menu
    assert menu is not None
    told = []
    for page in layout(now, height=height):
        told.append([word for box in page for word in box.text.casefold().split()])
        assert all(box.x >= 0 <= box.y and box.x + box.width <= WIDTH_PX for box in page)
        assert all(box.y + box.height <= height for box in page)
        assert all(apart(one, other) for one, other in combinations(page, 2))
    item, note = menu.items[menu.at].casefold(), menu.note.casefold()
    assert set(item.split()[:3]) <= set(told[0])
    assert set(f"{item} {note}".split()) <= set(chain.from_iterable(told))


def _check_game(game: str) -> None:
    for now in _questions(game):
        for height in HEIGHTS_PX:
            _check(now, height)
            _check(translated(now, GERMAN), height)


@pytest.mark.parametrize("game", FEW)
def test_what_would_be_taken_back_can_be_read(game: str) -> None:
    """Six players, names of twelve letters, both sizes, English and German."""
    _check_game(game)


@pytest.mark.slow
def test_what_would_be_taken_back_can_be_read_in_every_game() -> None:
    for game in game_ids():
        _check_game(game)


def test_on_two_lines_what_it_takes_back_stands_beside_the_question() -> None:
    """Pig on the flat screen: the first page says what a second long BANK would do, the points with it."""
    match = Match("pig", ["Ann", "Ben"])
    match.throw([4])
    match.choose("bank")
    question = undo_question(match)
    assert question is not None
    first = " ".join(box.text for box in layout(question.snapshot, height=32)[0])
    assert {"Ann:", "banked", "4", "-4", "points"} <= set(first.split())
