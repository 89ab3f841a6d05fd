"""Any decision is within eight presses, by trying, by reading the screen, and for claims under a cup."""

import re
from collections import Counter
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from reach import MOST_PRESSES, Faces, all_hands, check_reach, check_told, presses_to
from table_play import Lying, nothing_more

from tabletop.core.ports import Press
from tabletop.core.values import Rest
from tabletop.interpret import Offer, TableMemory, labels, obvious, offer, on_press, on_rest
from tabletop.interpret.choices import AskedDie, Take, choices, keeps
from tabletop.interpret.dice_state import aside
from tabletop.interpret.hints import CHOOSE_FIRST
from tabletop.interpret.offers import stop_option
from tabletop.rules import Choose, Keep, Match, Request, Throw, game_ids
from tabletop.rules.conformance.trial import Trial, random_answer
from tabletop.rules.families.combinations import parts_of
from tabletop.session.match_session import MatchSession
from tabletop.session.snapshotting import snapshot
from tabletop.views.terminal.canvas import Canvas, write
from tabletop.views.terminal.dice_picture import dice_lines

ANSWERS = 60


@pytest.mark.parametrize("game_id", game_ids())
@pytest.mark.parametrize("seeds", [range(1), pytest.param(range(1, 30), marks=pytest.mark.slow)])
def test_every_decision_of_every_game_is_within_eight_presses(game_id: str, seeds: range) -> None:
    """By really pressing: each answer is reached, the farthest by the eighth press, and labels fit at every step."""
    for seed in seeds:
        chance = Random(f"{game_id} walk {seed}")
        match = Trial(game_id, chance).begin()
        for _ in range(ANSWERS):
            if match.over:
                break
            check_reach(match.request)
            match.apply(*match.draft(random_answer(match.request, chance)))


def test_who_is_left_alone_in_a_joint_throw_tells_it_as_one() -> None:
    """All others have left: the throw is still one of several at once, and counts as told."""
    check_told(Request("roll", None, {"Ann": 1}))


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
    """Dice of what was walked to are carried to the rail: BANK keeps what it did, and HOLD shows something else."""
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


# Your own games


@given(st.lists(st.integers(-9, 9) | st.none(), min_size=1, max_size=60))
def test_any_choice_of_up_to_sixty_options_is_within_eight_presses(points: list[int | None]) -> None:
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
    parts = parts_of(tuple(sorted(dice)))
    legal = tuple(chance.sample(parts, chance.randint(1, len(parts))))
    check_reach(Request("keep", "Ann", len(dice), legal))


def test_more_options_than_can_be_within_eight_presses_are_all_reached() -> None:
    options = tuple(f"way {number}" for number in range(200))
    assert {*presses_to(Request("choose", "Ann", 0, (), options))} == {*map(Choose, options)}


# Die by die


def parts_behind(asked: AskedDie | Take) -> list[Faces]:
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
    session = MatchSession(match)
    for press in presses:
        session.press(Press("hold" if press == "h" else "bank"), 0.0)
    return session


def seen(session: MatchSession) -> tuple[str, str, str, str]:
    now = snapshot(session, None)
    dice = [f"[{face}]" if kept else str(face) for face, kept in zip(now.thrown, now.kept, strict=True)]
    if now.cursor is not None:
        dice[now.cursor] = ">" + dice[now.cursor]
    return " ".join(dice), now.offer, now.hold, now.bank


def thrown(game_id: str, *faces: int) -> Match:
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
    """The die that is kept has a bracket below, the one that is asked about an arrow."""
    shown = snapshot(after(thrown("yahtzee", 6, 6, 1, 2, 3), "hhbh"), None)
    canvas = Canvas(40, 2, 0, unicode=False)
    write(canvas, 0, 0, 40, dice_lines(shown, 40, 2, canvas, numbers=False))
    assert canvas.lines() == [" 1   2   3   6   6", "[-]      ^"]


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
        "3 4 5: 3 points", "3 9: 2 points", "for 2 points", "for 1 point: 12 to 7", "for 1 point: 5 to 3", "pass",
        "3 4 5: 3 points",
    ]  # fmt: skip


def test_options_that_give_the_same_stay_in_the_games_order() -> None:
    """A game that tells its best option first has it offered first."""
    row = choices(Request("choose", "Ann", 0, (), ("left", "right", "stay"), {"left": 2, "right": 2}))
    assert [stop.label for stop in row if isinstance(stop, Take)] == ["left 2", "right 2", "stay"]


READ_ANSWERS = 20
NEAREST_CLAIMS = 11  # two counts of six faces, but for the last
HOLD, BANK = Press("hold"), Press("bank")


def pressed(request: Request, wanted: Keep | Choose, shown: str, kept: tuple[int, ...]) -> Press:
    """Return what to press, told from what BANK takes: an answer, a die that is asked about, or a group's name."""
    if isinstance(wanted, Keep):
        if die := re.fullmatch(r"keep this (\d)\?", shown):
            face = int(die[1])
            return BANK if wanted.faces.count(face) > kept.count(face) else HOLD
        return BANK if shown == "keep " + (" ".join(map(str, wanted.faces)) or "nothing") else HOLD
    option, gives = wanted.option, request.gives.get(wanted.option, 0)
    if shown in (option, f"{option} {gives}", f"{option}: {gives} points", f"{option}: {gives} point"):
        return BANK
    if told := re.fullmatch(r"for (\d+) points?(?:: (.*))?", shown):
        if int(told[1]) != gives:
            return HOLD
        shown = told[2] or f"{option} to {option}"
    if shown in request.groups:
        shown = " to ".join((request.groups[shown][0], request.groups[shown][-1]))
    ends = re.fullmatch(r"(.*) (?:to|or) (.*)", shown)
    if ends is None or ends[1] not in request.options:
        return HOLD
    first, last = request.options.index(ends[1]), request.options.index(ends[2])
    return BANK if first <= request.options.index(option) <= last else HOLD


def presses_of_a_reader(request: Request, wanted: Keep | Choose) -> int:
    """Press as the screen says until the answer is given, and return how often that was."""
    memory = TableMemory()
    for count in range(1, MOST_PRESSES + 1):
        taken = offer(request, memory, None, nothing_more)
        assert taken is not None
        press = pressed(request, wanted, taken.label, taken.kept)
        label = labels(request, memory, taken, lying=False)[press == BANK]
        assert label in ("next", "leave", "keep", "take", "open", "done", "claim")
        outcome = on_press(request, memory, press, None, (), nothing_more)
        if outcome.answers:
            assert outcome.answers == (wanted,)
            return count
        memory = outcome.memory
    return MOST_PRESSES + 1


def answers_to(request: Request) -> list[Keep | Choose]:
    """Return all legal answers of a keep or a choice, none where it is to roll on or to stop; of claims the nearest.

    Nobody goes from the lowest claim to one of thirty sixes: those farther than NEAREST_CLAIMS take more presses.
    """
    if stop_option(request):
        return []
    if request.kind == "claim":
        return [Choose(option) for option in request.options[:NEAREST_CLAIMS]]
    return [*map(Keep, request.legal), *map(Choose, request.options)]


@pytest.mark.parametrize("game_id", game_ids())
def test_a_reader_finds_every_answer(game_id: str) -> None:
    chance = Random(f"{game_id} read")
    match = Trial(game_id, chance).begin()
    for _ in range(READ_ANSWERS):
        if match.over:
            return
        for wanted in answers_to(match.request):
            assert presses_of_a_reader(match.request, wanted) <= MOST_PRESSES, (match.request, wanted)
        match.apply(*match.draft(random_answer(match.request, chance)))


def test_all_keeps_of_one_hand_are_found() -> None:
    """Yahtzee, five different faces: 32 parts, the first at once and the farthest with the eighth press."""
    match = Match("yahtzee", ["Ann", "Ben"])
    match.throw([1, 2, 3, 4, 6])
    counts = Counter(presses_of_a_reader(match.request, wanted) for wanted in answers_to(match.request))
    assert (min(counts), max(counts), counts.total()) == (1, MOST_PRESSES, 32)


PLAYERS = ["Ann", "Ben", "Cid", "Dan", "Eve", "Fay"]
MOST_FACES = 6  # presses to a face once its number is open
MOST_TO_NUMBER = {2: 8, 3: 9, 6: 10}  # by the players of five dice: a leap over many numbers takes longer


def asked_to_hide(dice: int = 2) -> Request:
    return Request("hide", "Ann", dice, (), ("hidden",))


def claim_of_liars_dice(players: int, after: str = "", **options: object) -> Request:
    match = Match("liars-dice", PLAYERS[:players], **options)
    match.choose("hidden")
    if after:
        match.choose(after)
        match.choose("raise")
    return match.request


def test_bank_is_pressed_when_the_dice_are_hidden_and_hold_pauses() -> None:
    """It is never answered automatically: the player looks first."""
    request = asked_to_hide()
    assert obvious(request) == ()
    assert labels(request, TableMemory(), offer(request, TableMemory(), None, nothing_more), lying=False) == (
        "pause",
        "done",
    )
    assert on_press(request, TableMemory(), Press("bank"), None, (), nothing_more).answers == (Choose("hidden"),)
    held = on_press(request, TableMemory(), Press("hold"), None, (), nothing_more)
    assert held.memory.paused
    assert held.answers == ()


@pytest.mark.parametrize("request_now", [asked_to_hide(), Request("claim", "Ann", 0, (), ("31", "32"))])
def test_dice_that_are_seen_while_their_player_looks_mean_nothing(request_now: Request) -> None:
    """Neither an answer nor a hint, as many as there may be, and none that leans is asked about."""
    table, memory = Lying(), TableMemory()
    for rest in (table.throw(4, 1), table.throw(6), table.lean(), table.pick_up()):
        outcome = on_rest(request_now, memory, rest, (), nothing_more)
        assert (outcome.answers, outcome.hint, outcome.memory) == ((), "", memory)


def test_dice_that_were_looked_at_are_the_reveal() -> None:
    """What lay open at the claim waits at the choice, and counts as soon as it is a reveal."""
    table, memory = Lying(), TableMemory()
    lifted = table.throw(4, 1)
    doubting = Request("choose", "Ben", 0, (), ("believe", "doubt"))
    assert on_rest(doubting, memory, lifted, (), nothing_more).hint == CHOOSE_FIRST
    reveal = Request("roll", "Ben", 2, question="lift the cup")
    assert on_rest(reveal, memory, lifted, (), nothing_more).answers == (Throw((1, 4)),)


def test_nothing_is_asked_for_again_before_the_cup_is_lifted() -> None:
    """Dice that came and went while their player looked are no throw that was picked up unread."""
    table = Lying()
    table.throw(4, 1)
    bare = table.pick_up()
    passed = type(bare)(bare.reading, bare.arrived_s, bare.unsure_arrived_s, passed_s=bare.reading.time_s - 2.0)
    reveal, throw = Request("roll", "Ben", 2, question="lift the cup"), Request("roll", "Ben", 2)
    assert on_rest(reveal, TableMemory(), passed, (), nothing_more).hint == ""
    assert on_rest(throw, TableMemory(), passed, (), nothing_more).hint == "not read yet: again, please"


def test_every_claim_of_mia_is_within_eight_presses() -> None:
    """After any claim; the lowest that is legal is taken by the first BANK."""
    match = Match("mia", PLAYERS[:2])
    match.choose("hidden")
    every = match.request.options
    for place in range(len(every)):
        found = presses_to(Request("claim", "Ann", 0, (), every[place:]))
        assert set(found) == {Choose(option) for option in every[place:]}
        assert found[Choose(every[place])] == 1
        assert max(found.values()) <= MOST_PRESSES


@pytest.mark.parametrize("players", [2, 3, 6])
@pytest.mark.parametrize("wild", [False, True])
def test_first_a_number_is_opened_and_then_a_face_taken(players: int, wild: bool) -> None:
    """Of 10, 15 and 30 dice: first how many, then which face; all claims, and no others; the lowest at once."""
    for after in ("", "2 x 5"):
        request = claim_of_liars_dice(players, after, wild=wild)
        found = presses_to(request)
        assert set(found) == set(map(Choose, request.options))
        assert found[Choose(request.options[0])] == 1
        assert max(found.values()) <= MOST_TO_NUMBER[players] + MOST_FACES
        for members in request.groups.values():
            others = [found[Choose(one)] for one in members if one != request.options[0]]
            assert all(later == before + 1 for before, later in pairwise(others))
            assert min(others, default=0) <= MOST_TO_NUMBER[players] + 1 + wild  # wild ones stand alone


def test_the_next_claims_are_near() -> None:
    """After 3 x 4 of thirty dice: those of three dice, and each face of four and five, one press a face."""
    found = presses_to(claim_of_liars_dice(6, "3 x 4"))
    near = ("3 x 5", "3 x 6", "4 x 1", "4 x 5", "5 x 1", "5 x 5")
    assert [found[Choose(claim)] for claim in near] == [1, 2, 4, 8, 5, 9]
