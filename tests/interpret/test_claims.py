"""Dice under a cup: what the buttons and the tray mean for a hidden throw and for a claim, and how far a claim is."""

from itertools import pairwise

import pytest
from reach import MOST_PRESSES, presses_to
from table_play import Lying, nothing_more

from tabletop.core.ports import Press
from tabletop.interpret import TableMemory, labels, obvious, offer, on_press, on_rest
from tabletop.interpret.hints import CHOOSE_FIRST
from tabletop.rules import Choose, Match, Request, Throw

PLAYERS = ["Ann", "Ben", "Cid", "Dan", "Eve", "Fay"]
MOST_FACES = 6  # presses to a face once its number is open
MOST_TO_NUMBER = {2: 8, 3: 9, 6: 10}  # by the players of five dice: a leap over many numbers takes longer


def asked_to_hide(dice: int = 2) -> Request:
    """Return a hidden throw of Ann's."""
    return Request("hide", "Ann", dice, (), ("hidden",))


def claim_of_liars_dice(players: int, after: str = "", **options: object) -> Request:
    """Return the claim that is asked, the first of a match or after another one."""
    match = Match("liars-dice", PLAYERS[:players], **options)
    match.choose("hidden")
    if after:
        match.choose(after)
        match.choose("raise")
    return match.request


def test_bank_is_pressed_when_the_dice_are_hidden_and_hold_pauses() -> None:
    """Nobody answers it by itself: the player looks first."""
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
