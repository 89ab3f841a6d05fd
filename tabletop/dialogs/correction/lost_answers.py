"""What a correction made to lose, offered again: in its order, one at a time, as far as it fits. Pure.

The first answer that no longer fits is simply asked again, of people at the table. From then on, whenever the match
waits for just what was answered next, that answer is offered. A turn that went another way is ignored: once its
player is no longer asked, or has thrown again, the rest of his answers in it cannot come any more.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from tabletop.core.errors import RefusedError
from tabletop.core.message import say
from tabletop.core.ports import Press
from tabletop.dialogs.decisions import Decision, MenuAction
from tabletop.dialogs.event_text import entry_text
from tabletop.interpret.log_views import Entries, is_forced
from tabletop.rules import Correction, Event, Match
from tabletop.rules.events import COUNTED
from tabletop.views.snapshot import MenuView, Snapshot


@dataclass(frozen=True, slots=True)
class LostAnswers:
    """What is still to be offered, oldest first, never empty. known: how much of the match's log was looked at."""

    rest: Entries
    known: int


@dataclass(frozen=True, slots=True)
class LostAnswerPrompt:
    """One answer offered again: BANK takes it, HOLD leaves it and all after it. more: how many come after it.

    It is no list of a menu but a question of the match: long BANK asks what to take back and long HOLD opens the menu,
    as ever in play; those two are the loop's.
    """

    event: Event
    more: int

    def step_to(self, _: int) -> "LostAnswerPrompt":
        """Return it as it is: it has one line."""
        return self

    def press(self, press: Press) -> "LostAnswerPrompt | Decision":
        """Return what was decided by a short press."""
        if press.long:
            return self
        return MenuAction.REAPPLY if press.button == "bank" else MenuAction.DISMISS

    @property
    def snapshot(self) -> Snapshot:
        """What views draw of it."""
        note = say("{n} more after it; HOLD leaves them all", n=self.more) if self.more else ""
        menu = MenuView(say("As before?"), (entry_text(self.event),), note=note, in_play=True)
        return Snapshot(hold=say("leave"), bank=say("take"), menu=menu)


def answers_lost_by(match: Match, correction: Correction) -> Entries:
    """Return what would no longer stand after a drafted correction, those who left and joined among it."""
    if not correction.dropped:
        return ()
    counted = [at for at, event in enumerate(match.events) if event.kind in COUNTED]
    return match.events[counted[min(correction.dropped) - 1] :]


def start(lost: Sequence[Event], known: int) -> LostAnswers | None:
    """Return what is offered after a correction, without what will give itself again. known: the log's length then."""
    rest = tuple(event for event in lost if not is_forced(event))
    return LostAnswers(rest, known) if rest else None


def advance(lost: LostAnswers, match: Match) -> LostAnswers | None:
    """Return what is left to be offered after what has happened since, None if the offering has ended.

    An undo or another correction ends it: what was lost is then no longer what people see.
    """
    rest = lost.rest
    for event in match.log[lost.known :]:
        if event.kind in ("undo", "correct"):
            return None
        if rest:
            rest = _after(rest, event)
    newest = next((event for event in reversed(match.events) if event.kind in COUNTED), None)
    answer_lost = bool(rest) and rest[0].kind in COUNTED
    if answer_lost and newest is not None and newest.player == rest[0].player != match.request.player:
        rest = _next_turn(rest)
    return replace(lost, rest=rest, known=len(match.log)) if rest and not match.over else None


def next_offer(lost: LostAnswers, match: Match) -> Event | None:
    """Return the event that the next answer would be now, None if it does not fit what the match waits for."""
    was = lost.rest[0]
    try:
        if was.kind == "leave":
            return match.draft_leave(was.player or "")[0]
        if was.kind == "join":
            return match.draft_join(was.player or "")[0]
        if was.request is None or not was.request.same_question(match.request):
            return None
        return match.draft(was.answer)[0]
    except RefusedError:
        return None


def _after(rest: Entries, event: Event) -> Entries:
    """Return what is left once this was answered, left or joined."""
    was = rest[0]
    if event.kind not in COUNTED:
        return rest[1:] if (event.kind, event.player) == (was.kind, was.player) else rest
    if was.request is not None and event.request is not None and was.request.same_question(event.request):
        return rest[1:]
    thrown_otherwise = event.kind == "throw" and event.player == was.player
    return _next_turn(rest) if thrown_otherwise else rest


def _next_turn(rest: Entries) -> Entries:
    """Pass over the answers left of the turn that comes first; who left or joined then has done so all the same."""
    player = rest[0].player
    ends = (at for at, event in enumerate(rest) if event.player != player or event.kind not in COUNTED)
    return next((rest[at:] for at in ends), ())
