"""Events and results in words, a line each.

What can come one after the other is joined by "; ", so that each part can be translated by itself.
"""

from collections.abc import Iterable, Mapping, Sequence

from tabletop.rules import Answer, Choose, Event, Keep, Match
from tabletop.rules.events import Correction
from tabletop.rules.requests import Faces, Joint, answer_text, faces_text

MOST_TOLD = 4  # entries that are told one by one; of the others how many they are


def event_text(event: Event, match: Match) -> str:
    """Return an event in words, with what it led to. match: as it stands after the event."""
    who = f"{event.player}: " if event.player else ""
    if isinstance(event.value, Correction):
        done = f"correct {event.value.number} {answer_text(event.value.answer)}"
    elif event.kind in ("undo", "leave", "join"):
        done = event.kind
    else:
        done = answer_text(event.answer)
    return f"{who}{done}" + (f"  ({match.said})" if match.said else "")


def result_text(match: Match) -> str:
    """Return the scores, and who has won or whose turn it is."""
    scores = ", ".join(f"{name} {points}" for name, points in match.scores.items())
    if match.over:
        return f"{scores}; {' and '.join(match.winners)} won: {match.why}"
    return f"{scores}; waiting for {match.request}"


def entry_text(event: Event) -> str:
    """Return an entry of the log as people say it: "Ann: throw 3 4", "Ben: bank 350", "Ann: corrected to keep 1".

    A joint throw is "all: throw 3 5", in seat order.
    """
    who = event.player or "all"
    if isinstance(event.value, Correction):
        return f"{who}: corrected to {_said(event.value.answer, {})}"
    if event.kind in ("leave", "join"):
        return f"{who}: {'left' if event.kind == 'leave' else 'joined'}"
    return f"{who}: {_said(event.answer, event.request.gives if event.request else {})}"


def _said(answer: Answer, gives: Mapping[str, int]) -> str:
    if isinstance(answer, Choose):
        points = gives.get(answer.option)
        return answer.option if points is None else f"{answer.option} {points}"
    if isinstance(answer, Keep):
        return f"keep {faces_text(answer.faces) or 'nothing'}"
    return f"throw {faces_text(all_faces(answer.faces))}"


def all_faces(faces: Faces | Joint) -> Faces:
    """Return the faces of a throw; those of a joint one in seat order."""
    return faces if isinstance(faces, tuple) else tuple(face for own in faces.values() for face in own)


def lost_text(lost: Iterable[Event]) -> str:
    """Tell which answers no longer count, the first few one by one; empty where there are none."""
    told = [entry_text(event) for event in lost]
    if not told:
        return ""
    count = "one answer is lost" if len(told) == 1 else f"{len(told)} answers are lost"
    return "; ".join((count, *told[:MOST_TOLD], *(f"and {len(told) - MOST_TOLD} more" for _ in told[MOST_TOLD:][:1])))


def change_text(was: Match, now: Match) -> str:
    """Tell how the scores and the end differ between two states of a match; empty where they are the same."""
    parts = []
    for name in dict.fromkeys((*was.players, *now.players)):
        more = now.scores.get(name, 0) - was.scores.get(name, 0)
        if more:
            points = "point" if abs(more) == 1 else "points"
            parts.append(f"{name} {abs(more)} {points} {'more' if more > 0 else 'less'}")
    if was.over and not now.over:
        parts.append("the match goes on")
    if now.over and now.winners != was.winners:
        parts.append(win_text(now.winners))
    return "; ".join(parts)


def win_text(winners: Sequence[str]) -> str:
    """Say who wins; winners are never empty."""
    return f"{' and '.join(winners)} {'wins' if len(winners) == 1 else 'win'}"


def joined(*parts: str) -> str:
    """Return the parts that say something, one after the other."""
    return "; ".join(part for part in parts if part)
