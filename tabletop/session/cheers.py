"""Announcements of notable events, such as a rare throw, a bust or a new lead, and highlights at the end. Pure."""

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from operator import itemgetter

from tabletop.core import FACES, say
from tabletop.dialogs.event_text import all_faces
from tabletop.interpret.offers import ROLL_ON
from tabletop.rules import Event, Match, Throw
from tabletop.views.snapshot import Highlight

Scores = tuple[int, ...]

ALIKE = 5  # dice with one face; fewer happen every few turns
NAMED = {"mexico": [1, 2], "mia": [1, 2]}  # games that are named after a throw
SHUT = {"x"}  # on the sheet: all tiles of a player are shut


def cheer(match: Match, new: Sequence[Event], stake: int, known: int, course: Sequence[Scores]) -> str:
    """Return the announcement for the newest log entries, mostly empty.

    new: these entries. stake: the points at stake before them. course: the scores over time, the current ones last;
    known: its length before these entries.
    """
    if not new or any(event.request is None for event in new):  # undone, corrected, or somebody left
        return ""
    thrown = [event for event in new if event.kind == "throw"]
    player, scored = (thrown or new)[-1].player or "", len(course) > known
    if thrown and (named := _named(match)):
        return named
    if match.game.layout == "tiles" and {cells[player] for row, cells in match.sheet.items() if row.isdigit()} == SHUT:
        return say("box shut")
    if len(match.kept) == match.game.dice > 1 and match.at_stake > stake and match.request.player == player:
        return say("hot dice")
    if stake and not match.at_stake and not scored and (_rolled_on(match, player) or "is bust" in match.said):
        return say("bust")
    return _new_lead(match, course) if scored and not match.over and not match.game.fewest_win else ""


def _named(match: Match) -> str:
    """Return what the dice on the table are called, empty for most throws."""
    hand = (*match.kept_before, *all_faces(match.thrown))
    if sorted(hand) == NAMED.get(match.game.id):
        return match.game.name
    if match.events[-1].player is None or len(hand) < ALIKE or len(set(hand)) > 1:
        return ""
    box = match.game.name.lower()  # Yahtzee, Yatzy, Yacht, Kismet, Balut and General have a box named after the game
    return next((row for row in match.sheet if row == box), say("{n} alike", n=len(hand)))


def _rolled_on(match: Match, player: str) -> bool:
    """Return whether a player could have banked last and did not."""
    own = (event for event in match.events if event.player == player and event.request)
    return [event.value for event in own if event.request and "bank" in event.request.options][-1:] == [ROLL_ON]


def _new_lead(match: Match, course: Sequence[Scores]) -> str:
    """Return whether somebody has overtaken who had not led for a round: else leads come and go with the turns."""
    led = [scores.index(max(scores)) if scores.count(max(scores)) == 1 else None for scores in course]
    now, before = led[-1], led[:-1]
    if now is None or now in before[-len(match.players) :] or course[-1][now] <= course[-2][now]:
        return ""
    return say("{name} takes the lead", name=match.players[now]) if {*before} - {None} else ""


def highlights(match: Match, course: Sequence[Scores]) -> tuple[Highlight, ...]:
    """Return the highlights of a match with a winner, the most impressive first. course: the scores over time."""
    names, found = match.players, []
    winner = names.index(match.winners[0]) if len(match.winners) == 1 < len(names) else None
    if not match.game.fewest_win:  # if the fewest points win, scoring more falls behind
        steps = (zip(new, old, names, strict=False) for old, new in pairwise(course))
        gains = ((new - old, name) for step in steps for new, old, name in step)
        found += [Highlight("gain", *max(gains, key=itemgetter(0)))]  # the first of the best
        if winner is not None:
            behind = max(max(scores) - scores[winner] for scores in course if winner < len(scores))
            found += [Highlight("comeback", behind, names[winner])]
    if winner is not None:
        others = (abs(score - course[-1][winner]) for seat, score in enumerate(course[-1]) if seat != winner)
        found += [Highlight("margin", min(others), names[winner])]
    throws = [event.answer.faces for event in match.events if event.kind == "throw" and isinstance(event.answer, Throw)]
    faces = Counter(face for thrown in throws for face in all_faces(thrown))
    rare, *_, often = sorted(FACES, key=lambda face: faces[face])
    found += [Highlight("throws", len(throws)), Highlight("often", faces[often], face=often)]
    return (*(one for one in found if one.n > 1), Highlight("rare", faces[rare], face=rare))
