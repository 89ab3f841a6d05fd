"""Somebody who only reads the screen finds each answer within eight presses, without trying out what is behind."""

import re
from collections import Counter
from random import Random

import pytest
from table_play import nothing_more

from tabletop.core.ports import Press
from tabletop.interpret import TableMemory, labels, offer, on_press
from tabletop.interpret.offers import stop_option
from tabletop.rules import Choose, Keep, Match, Request, game_ids
from tabletop.rules.conformance.trial import Trial, random_answer

MOST_PRESSES = 8  # the design: any decision is within 8 presses
ANSWERS = 40
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
    """In random matches of every game, with random options."""
    chance = Random(f"{game_id} read")
    match = Trial(game_id, chance).begin()
    for _ in range(ANSWERS):
        if match.over:
            return
        for wanted in answers_to(match.request):
            assert presses_of_a_reader(match.request, wanted) <= MOST_PRESSES, (match.request, wanted)
        match.apply(*match.draft(random_answer(match.request, chance)))


@pytest.mark.slow
def test_a_reader_finds_every_crossing_of_everest() -> None:
    """All 56 throws of three dice: pairs and single numbers are found by what they give."""
    for throw in [(a, b, c) for a in range(1, 7) for b in range(a, 7) for c in range(b, 7)]:
        match = Match("everest", ["Ann", "Ben"])
        match.throw(throw)
        for wanted in answers_to(match.request):
            assert presses_of_a_reader(match.request, wanted) <= MOST_PRESSES, (match.request, wanted)


def test_all_keeps_of_one_hand_are_found() -> None:
    """Yahtzee, five different faces: 32 parts, the first at once and the farthest with the eighth press."""
    match = Match("yahtzee", ["Ann", "Ben"])
    match.throw([1, 2, 3, 4, 6])
    counts = Counter(presses_of_a_reader(match.request, wanted) for wanted in answers_to(match.request))
    assert (min(counts), max(counts), counts.total()) == (1, MOST_PRESSES, 32)
