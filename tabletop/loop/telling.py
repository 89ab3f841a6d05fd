"""Events and results in words, a line each."""

from tabletop.rules import Event, Match
from tabletop.rules.events import Correction
from tabletop.rules.questions import answer_text


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
