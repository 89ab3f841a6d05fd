"""Events and results as one-line texts, and the tray as a small drawing.

`event_text` and `result_text` are for the command line, in plain English; the others are messages for the screens.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence

from tabletop.core import Die, Rest, Unsure, join, say
from tabletop.interpret.offers import ROLL_ON, STOPS
from tabletop.rules import Answer, Choose, Correction, Event, Keep, Match
from tabletop.rules.requests import HIDDEN, Faces, Joint, answer_text, faces_text
from tabletop.views.snapshot import DieInTray, TrayDrawing

MOST_LISTED = 4  # entries listed one by one; the rest are only counted


def event_text(event: Event, match: Match) -> str:
    """Describe an event and its effect. match: after the event."""
    who = f"{event.player}: " if event.player else ""
    if isinstance(event.value, Correction):
        done = f"correct {event.value.number} {answer_text(event.value.answer)}"
    elif event.kind in ("undo", "leave", "join", "abandon"):
        done = event.kind
    else:
        done = answer_text(event.answer)
    return f"{who}{done}" + (f"  ({match.said})" if match.said else "")


def result_text(match: Match) -> str:
    """Describe the scores, the points at stake, and the winners or the next player."""
    scores = ", ".join(f"{name} {points}" for name, points in match.scores.items())
    if match.abandoned:
        return f"{scores}; {match.why}"
    if match.over:
        return f"{scores}; {' and '.join(match.winners)} won: {match.why}"
    stake = f"; {match.at_stake} at stake" if match.at_stake else ""
    return f"{scores}{stake}; waiting for {match.request}"


def entry_text(event: Event) -> str:
    """Describe a log entry: "Ann: threw 3 4", "Ben: banked 350", "Ann: corrected, kept 1".

    A joint throw reads "all: threw 3 5", in seat order, a hidden one "Ann: threw under the cup".
    """
    who = event.player
    if isinstance(event.value, Correction):
        right = _said(event.value.answer, {})
        if who is None:
            return say("all: corrected, {entry}", entry=right)
        return say("{name}: corrected, {entry}", name=who, entry=right)
    if event.kind == "leave":
        return say("{name}: left", name=who or "")
    if event.kind == "join":
        return say("{name}: joined", name=who or "")
    if event.kind == "abandon":
        return say("abandoned")
    answer = _said(event.answer, event.request.gives if event.request else {})
    return say("all: {entry}", entry=answer) if who is None else say("{name}: {entry}", name=who, entry=answer)


def _said(answer: Answer, gives: Mapping[str, int]) -> str:
    if isinstance(answer, Choose):
        if answer.option == HIDDEN:
            return say("threw under the cup")
        if answer.option == ROLL_ON:
            return say("rolled on")
        points = gives.get(answer.option)
        if points is not None and answer.option in STOPS:
            return say("banked {n}" if answer.option == "bank" else "stopped at {n}", n=points)
        return answer.option if points is None else say("{box} {n}", box=answer.option, n=points)
    if isinstance(answer, Keep):
        return say("kept {faces}", faces=faces_text(answer.faces) or "nothing")
    return say("threw {faces}", faces=faces_text(all_faces(answer.faces)))


def all_faces(faces: Faces | Joint) -> Faces:
    """Return the faces of a throw; those of a joint one in seat order."""
    return faces if isinstance(faces, tuple) else tuple(face for own in faces.values() for face in own)


def lost_text(lost: Iterable[Event], most: int = MOST_LISTED) -> str:
    """Describe how many answers are lost, listing up to `most` of them; empty if there are none."""
    texts = [entry_text(event) for event in lost]
    if not texts:
        return ""
    count = say("one answer is lost") if len(texts) == 1 else say("{n} answers are lost", n=len(texts))
    return join(
        "; ", (count, *texts[:most], *(say("and {n} more", n=len(texts) - most) for _ in texts[most:][:1] if most))
    )


def change_text(was: Match, now: Match) -> str:
    """Describe how the scores and the ending differ between two states of a match; empty if they are equal."""
    parts = []
    for name in dict.fromkeys((*was.players, *now.players)):
        more = now.scores.get(name, 0) - was.scores.get(name, 0)
        if more:
            parts.append(_points_text(name, more))
    if was.over and not now.over:
        parts.append(say("the match goes on"))
    if now.abandoned and not was.abandoned:
        parts.append(now.why)
    elif now.over and now.winners != was.winners:
        parts.append(win_text(now.winners))
    return join("; ", parts)


def _points_text(name: str, more: int) -> str:
    """Say how many points more a player has; not 0, fewer if below it."""
    if more == 1:
        return say("{name}: +{n} point", name=name, n=more)
    if more == -1:
        return say("{name}: -{n} point", name=name, n=-more)
    if more > 0:
        return say("{name}: +{n} points", name=name, n=more)
    return say("{name}: -{n} points", name=name, n=-more)


def win_text(winners: Sequence[str]) -> str:
    """Announce the winners, at least one."""
    if len(winners) == 1:
        return say("{name} wins", name=winners[0])
    return say("{names} win", names=join(" and ", winners))


def joined(*parts: str) -> str:
    """Join the non-empty parts with semicolons."""
    return join("; ", parts)


STEPS = 64  # places are rounded to 64ths of the tray, so that noise does not change the drawing


def tray_drawing(rest: Rest, asked: Collection[Die | Unsure]) -> TrayDrawing | None:
    """Return a drawing of the dice of a rest, with those in question marked; None if there are none.

    The drawing shows the whole tray, or the whole frame in pixels, and in any case all dice.
    """
    reading = rest.reading
    seen: tuple[Die | Unsure, ...] = (*reading.dice, *reading.unsure)
    if not seen:
        return None
    left = top = 0.0
    right, bottom = reading.tray or (reading.width, reading.height)
    if not all(0 <= thing.x <= right and 0 <= thing.y <= bottom for thing in seen):  # as with dice on a rail
        left = min(left, *(thing.x - thing.size for thing in seen))
        top = min(top, *(thing.y - thing.size for thing in seen))
        right = max(right, *(thing.x + thing.size for thing in seen))
        bottom = max(bottom, *(thing.y + thing.size for thing in seen))
    wide, high = right - left, bottom - top
    dice = tuple(
        DieInTray(
            round((thing.x - left) / wide * STEPS) / STEPS,
            round((thing.y - top) / high * STEPS) / STEPS,
            thing.face if isinstance(thing, Die) else 0,
            asked=thing in asked,
        )
        for thing in seen
    )
    return TrayDrawing(round(wide / high, 1), dice)
