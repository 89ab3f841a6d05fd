"""Any decision is within eight presses: what HOLD and BANK walk through, at each question of random matches."""

from collections import Counter
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from reach import MOST_PRESSES, Faces, all_hands, check_reach, check_told, presses_to
from table_play import Lying, nothing_more

from tabletop.core.moment import Moment
from tabletop.core.ports import Press
from tabletop.core.values import Rest
from tabletop.interpret import Offer, TableMemory, offer, on_press
from tabletop.interpret.choices import AskedDie, Take, choices, keeps
from tabletop.interpret.dice_state import aside
from tabletop.rules import Choose, Keep, Match, Request, game_ids
from tabletop.rules.conformance.trial import Trial, random_answer
from tabletop.rules.families.combinations import parts_of
from tabletop.session.journal import NullEventSink
from tabletop.session.match_session import MatchSession
from tabletop.session.snapshotting import snapshot
from tabletop.views.terminal.canvas import plain
from tabletop.views.terminal.panel import beside

ANSWERS, SEEDS, MORE_SEEDS = 60, range(2), range(2, 30)


def check_match(game_id: str, seed: int) -> None:
    """Look at each question of a random match with random options."""
    chance = Random(f"{game_id} walk {seed}")
    match = Trial(game_id, chance).begin()
    for _ in range(ANSWERS):
        if match.over:
            return
        check_reach(match.request)
        match.apply(*match.draft(random_answer(match.request, chance)))


@pytest.mark.parametrize("game_id", game_ids())
def test_every_decision_of_every_game_is_within_eight_presses(game_id: str) -> None:
    """By really pressing: each answer is reached, the farthest by the eighth press, and labels fit at every step."""
    for seed in SEEDS:
        check_match(game_id, seed)


def test_who_is_left_alone_in_a_joint_throw_tells_it_as_one() -> None:
    """All others have left: the throw is still one of several at once, and counts as told."""
    check_told(Request("roll", None, {"Ann": 1}))


@pytest.mark.slow
@pytest.mark.parametrize("game_id", game_ids())
def test_every_decision_of_every_game_is_within_eight_presses_more_often(game_id: str) -> None:
    """The same in more matches, for lists that are long once in an evening."""
    for seed in MORE_SEEDS:
        check_match(game_id, seed)


LONGEST = [
    ("everest", {}),
    ("everest", {"may_pass": False}),
    ("yahtzee", {}),
    ("general", {"double_general": True}),
    ("plus-and-minus", {}),
    ("sevens", {}),
    ("the-dice-game", {"choice": True}),
    ("ten-thousand", {}),
    ("ten-thousand", {"dice": 7, "alike": "set"}),
]


@pytest.mark.slow
@pytest.mark.parametrize(("game_id", "options"), LONGEST)
def test_every_throw_of_the_long_lists_is_within_eight_presses(game_id: str, options: dict[str, object]) -> None:
    """All that can be thrown first in the games with the longest lists."""
    begun = Match(game_id, ["Ann", "Ben"], **options)
    assert isinstance(begun.request.dice, int)
    for hand in all_hands(begun.request.dice):
        match = Match(game_id, ["Ann", "Ben"], **options)
        match.throw(hand)
        check_reach(match.request)


@pytest.mark.parametrize("part", parts_of((1, 2, 3, 4, 6))[:-1], ids=str)
def test_dice_seen_aside_come_first_and_nothing_gets_farther(part: Faces) -> None:
    """Yahtzee: whatever was carried to the rail is what BANK keeps; all else is still within eight presses."""
    hand = (1, 2, 3, 4, 6)
    tray = Lying(unit="mm")
    tray.throw(*hand)
    begin = TableMemory(ignored_until_s=tray.now_s, counted_s=tray.now_s)
    request = Request("keep", "Ann", len(hand), parts_of(hand))
    found = presses_to(request, begin, tray.to_rail(*part), hand)
    assert found[Keep(part)] == 1
    assert max(found.values()) <= MOST_PRESSES
    assert set(found) == set(map(Keep, request.legal))


@pytest.mark.parametrize("hand", [(1, 2, 3, 4, 6), (2, 4, 6), (5, 5)])
@pytest.mark.parametrize("first", range(2))
@pytest.mark.parametrize("left", range(2))
def test_hold_goes_on_also_once_what_it_showed_was_set_aside(hand: Faces, first: int, left: int) -> None:
    """Dice of what was walked to are carried to the rail: BANK keeps what it did, and HOLD then shows something else.

    first: so many of the hand lie there when HOLD is pressed. left: so many of what is shown are not carried there.
    """
    request = Request("keep", "Ann", len(hand), parts_of(hand))
    for holds in range(len(request.legal)):
        tray = Lying(unit="mm")
        tray.throw(*hand)
        memory = TableMemory(ignored_until_s=tray.now_s, counted_s=tray.now_s)
        rest = tray.to_rail(*hand[:first])
        for _ in range(holds):
            memory = on_press(request, memory, Press("hold"), rest, hand, nothing_more).memory
        shown = _offered(request, memory, rest, hand)
        if shown is None or not shown.answers:
            continue
        (kept,) = shown.answers
        assert isinstance(kept, Keep)
        rest = tray.to_rail(*(Counter(kept.faces[left:]) - Counter(hand[:first])).elements())
        if _offered(request, memory, rest, hand) == shown:
            memory = on_press(request, memory, Press("hold"), rest, hand, nothing_more).memory
            assert _offered(request, memory, rest, hand) != shown


def _offered(request: Request, memory: TableMemory, rest: Rest, hand: Faces) -> Offer | None:
    return offer(request, memory, aside(rest, memory, request, hand), nothing_more)


def test_all_hands_are_all() -> None:
    """252 throws of five dice, 462 of six: C(n + 5, 5)."""
    assert (len(all_hands(5)), len(set(all_hands(6)))) == (252, 462)


@pytest.mark.slow
def test_boxes_of_yahtzee_at_the_start_of_a_sheet() -> None:
    """Thirteen boxes for every hand: what gives most first."""
    for hand in all_hands(5):
        match = Match("yahtzee", ["Ann", "Ben"])
        match.throw(hand)
        match.keep(hand)
        check_reach(match.request)


# Games of one's own


@given(st.lists(st.integers(-9, 9) | st.none(), min_size=1, max_size=60))
def test_any_choice_of_up_to_sixty_options_is_within_eight_presses(points: list[int | None]) -> None:
    """Whatever the options give, in whatever order they stand."""
    options = tuple(f"way {number}" for number in range(len(points)))
    check_reach(
        Request(
            "choose",
            "Ann",
            0,
            (),
            options,
            {option: gives for option, gives in zip(options, points, strict=True) if gives is not None},
        )
    )


@given(st.lists(st.integers(1, 6), min_size=1, max_size=6), st.randoms(use_true_random=False))
def test_any_keep_of_up_to_six_dice_is_within_eight_presses(dice: list[int], chance: Random) -> None:
    """Whatever parts of a hand a game allows, in whatever order."""
    parts = parts_of(tuple(sorted(dice)))
    legal = tuple(chance.sample(parts, chance.randint(1, len(parts))))
    check_reach(Request("keep", "Ann", len(dice), legal))


def test_more_options_than_can_be_within_eight_presses_are_all_reached() -> None:
    """Two hundred options need more presses; none is out of reach."""
    options = tuple(f"way {number}" for number in range(200))
    assert {*presses_to(Request("choose", "Ann", 0, (), options))} == {*map(Choose, options)}


# Die by die


def parts_behind(asked: AskedDie | Take) -> list[Faces]:
    """Return the parts that questions lead to, each as often as it can be reached."""
    if isinstance(asked, AskedDie):
        return parts_behind(asked.leave) + parts_behind(asked.keep)
    assert isinstance(asked.answer, Keep)
    return [asked.answer.faces]


@given(st.lists(st.integers(1, 6), min_size=5, max_size=6), st.randoms(use_true_random=False))
def test_die_by_die_every_part_is_reached_once(dice: list[int], chance: Random) -> None:
    """Equal dice are asked about so that no part is reached twice, and nothing is asked that has one answer."""
    parts = parts_of(tuple(sorted(dice)))
    legal = tuple(chance.sample(parts, chance.randint(1, len(parts))))
    questions = [stop for stop in keeps(legal, None) if isinstance(stop, AskedDie)]
    assert len(questions) == (len(legal) > MOST_PRESSES)
    for asked in questions:
        assert sorted(parts_behind(asked)) == sorted(legal)


def after(match: Match, presses: str) -> MatchSession:
    """Return a match at the table after these presses, h for HOLD and b for BANK."""
    session = MatchSession(match, NullEventSink(), 1, lambda: Moment("1970-01-01T00:00:00Z"), lambda _: None)
    for press in presses:
        session.press(Press("hold" if press == "h" else "bank"), 0.0)
    return session


def seen(session: MatchSession) -> tuple[str, str, str, str]:
    """Return the dice with those kept in brackets and the one asked about behind >, what BANK takes, HOLD, BANK."""
    now = snapshot(session, None)
    dice = [f"[{face}]" if kept else str(face) for face, kept in zip(now.thrown, now.kept, strict=True)]
    if now.cursor is not None:
        dice[now.cursor] = ">" + dice[now.cursor]
    return " ".join(dice), now.offer, now.hold, now.bank


def thrown(game_id: str, *faces: int) -> Match:
    """Begin a match with this throw."""
    match = Match(game_id, ["Ann", "Ben"])
    match.throw(faces)
    return match


@pytest.mark.parametrize(
    ("presses", "shown"),
    [
        ("", ("1 2 3 [6] [6]", "keep 6 6", "next", "keep")),
        ("h", ("[1] [2] [3] 6 6", "keep 1 2 3", "next", "keep")),
        ("hh", (">1 2 3 6 6", "keep this 1?", "leave", "keep")),
        ("hhb", ("[1] >2 3 6 6", "keep this 2?", "leave", "keep")),
        ("hhbhh", ("[1] 2 3 >6 6", "keep this 6?", "leave", "keep")),
        ("hhbhhb", ("[1] 2 3 [6] >6", "keep this 6?", "leave", "keep")),
        ("hhbhhbh", ("[1] 2 3 [6] 6", "keep 1 6", "next", "keep")),
        ("hhbhhh", ("[1] 2 3 6 6", "keep 1", "next", "keep")),
        ("hhbbbbh", ("[1] [2] [3] [6] 6", "keep 1 2 3 6", "next", "keep")),
        ("hhbhhhh", ("1 2 3 [6] [6]", "keep 6 6", "next", "keep")),
        ("hhhhhh", ("1 2 3 6 6", "keep nothing", "next", "keep")),
    ],
)
def test_a_keep_of_yahtzee_die_by_die(presses: str, shown: tuple[str, str, str, str]) -> None:
    """By hand: the pair, the row, then each die; a 6 that is left takes the other one with it; at the end it wraps."""
    assert seen(after(thrown("yahtzee", 6, 6, 1, 2, 3), presses)) == shown


def test_a_terminal_without_pictures_points_at_the_die() -> None:
    """The die that is asked about stands behind >."""
    shown = snapshot(after(thrown("yahtzee", 6, 6, 1, 2, 3), "hhbh"), None)
    assert "[1]  2  >3   6   6" in plain(beside(shown, 40, 20, rich=False))


def test_the_second_keep_shows_the_whole_hand() -> None:
    """What was kept before may be taken up again, and is asked about with the dice thrown beside it."""
    match = thrown("yahtzee", 6, 6, 1, 2, 3)
    match.keep([6, 6])
    match.throw([6, 4, 4])
    assert seen(after(match, ""))[0] == "[4] [4] [6] [6] [6]"
    assert seen(after(match, "hh"))[0] == ">4 4 6 6 6"
    assert seen(after(match, "hhhb"))[:2] == ("4 4 [6] >6 6", "keep this 6?")


def test_what_stays_aside_is_shown_as_kept_and_not_asked_about() -> None:
    """Ten Thousand: the 1 kept before stays kept, whatever is kept of the next throw."""
    match = thrown("ten-thousand", 1, 2, 3, 3, 4, 6)
    match.keep([1])
    match.choose("roll")
    match.throw([1, 1, 1, 5, 5])
    assert seen(after(match, ""))[:2] == ("[1] [1] [1] [1] [5] [5]", "keep 1 1 1 5 5, bank 1200")
    assert seen(after(match, "hh"))[:2] == ("[1] >1 1 1 5 5", "keep this 1?")
    assert seen(after(match, "hhb"))[:2] == ("[1] [1] >1 1 5 5", "keep this 1?")
    assert seen(after(match, "hhbhh"))[:2] == ("[1] [1] 1 1 5 5", "keep 1, bank 200")


# Groups


def test_the_boxes_of_yahtzee_stand_in_groups_of_the_sheet() -> None:
    """By hand: what gives most, then groups named by their first and last box, and a way back out of each."""
    match = thrown("yahtzee", 1, 2, 2, 3, 4)
    match.keep([1, 2, 2, 3, 4])
    told = [seen(after(match, presses))[1:] for presses in ("", "h", "hhh", "hhhb", "hhhbh", "hhhbhhhh", "hhhbhhhhb")]
    assert told == [
        ("small straight 30", "next", "take"),
        ("chance 12", "next", "take"),
        ("ones to fives", "next", "open"),
        ("ones 1", "next", "take"),
        ("threes 3", "next", "take"),
        ("back", "next", "back"),
        ("ones to fives", "next", "open"),
    ]


def test_the_crossings_of_everest_stand_in_groups_by_what_they_give() -> None:
    """By hand, 3 4 5: all three numbers first, then one pair, the other pairs, single numbers, and pass."""
    row = [seen(after(thrown("everest", 3, 4, 5), "h" * count))[1] for count in range(7)]
    assert row == [
        "3 4 5: 3 points",
        "3 9: 2 points",
        "for 2 points",
        "for 1 point: 12 to 7",
        "for 1 point: 5 to 3",
        "pass",
        "3 4 5: 3 points",
    ]


def test_options_that_give_the_same_stay_in_the_games_order() -> None:
    """A game that tells its best option first has it offered first."""
    row = choices(Request("choose", "Ann", 0, (), ("left", "right", "stay"), {"left": 2, "right": 2}))
    assert [stop.label for stop in row if isinstance(stop, Take)] == ["left 2", "right 2", "stay"]
