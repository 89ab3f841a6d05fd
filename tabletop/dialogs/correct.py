"""Correcting a die that was read wrongly, or a wrong press: which throw, which die, which face. Pure.

The last page shows what would change and what would be lost, and asks once more. Every page is a list of at most
`LONGEST_LIST` lines, the newest throws first; what is older or worse stands on a page behind it.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from tabletop.core.errors import RefusedError
from tabletop.core.message import say
from tabletop.core.ports import Press
from tabletop.core.values import FACES, Rest
from tabletop.dialogs.decisions import Correct, Decision, Dialog, MenuAction
from tabletop.dialogs.event_text import MOST_LISTED, all_faces, change_text, entry_text, joined, lost_text, tray_drawing
from tabletop.dialogs.menu import Item, Menu, Opening, Page
from tabletop.interpret.choices import best_first
from tabletop.interpret.log_views import Entries, is_forced, replayed_with
from tabletop.rules import Answer, Choose, Correction, Event, Keep, Match, Request, Throw
from tabletop.rules.events import COUNTED
from tabletop.rules.requests import faces_text
from tabletop.views.snapshot import MenuView, Snapshot, TrayDrawing


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


OLDER, MORE = say("older"), say("more")  # the lines that lead to what finds no room
LONGEST_LIST = 8  # lines: any of them is within eight presses

Numbered = tuple[int, Event]
DiceAtThrow = tuple[Rest, float]
"""What lay in the tray when a throw was taken, and the time before which dice do not belong to the throw."""
DiePosition = tuple[str, int]
"""Whose die in a joint throw, else "", and its index among that player's dice."""


def correct_menu(match: Match, seen_throws: Mapping[int, DiceAtThrow] | None = None) -> Menu | None:
    """Return the menu that leads to a correction of this match as it stands, None if nothing was answered yet.

    seen_throws: what lay in the tray at throws, by number: the die that is asked about is drawn there.
    """
    counted = [event for event in match.events if event.kind in COUNTED]
    newest_first = list(enumerate(counted, start=1))[::-1]
    seen = seen_throws or {}
    throws = [_throw_item(match, entry, seen.get(entry[0])) for entry in newest_first if entry[1].kind == "throw"]
    others = [entry for entry in newest_first if entry[1].kind != "throw" and _might_differ(entry[1])]
    last = []
    if others:
        items = [_other_item(match, entry) for entry in others]
        last = [Item(say("other answers"), _listed(say("Which answer?"), items, OLDER), say("what was kept or chosen"))]
    if not throws and not last:
        return None
    return Menu((_listed(say("Which throw?"), throws, OLDER, last),), home=True)


def _listed(title: str, items: Sequence[Item], onward: str, last: Sequence[Item] = ()) -> Page:
    """Return a page of these items and `last`; what finds no room stands on pages behind the line `onward`."""
    room = LONGEST_LIST - len(last)
    if len(items) <= room:
        return Page(title, (*items, *last))
    first, rest = items[: room - 1], items[room - 1 :]
    return Page(title, (*first, Item(onward, _opens(lambda: _listed(title, rest, onward))), *last))


def _opens(page: Callable[[], Page]) -> Opening:
    """Make the page only when somebody goes there: most of them would take a replay of the match."""

    def opened(menu: Menu) -> Dialog:
        return replace(menu, pages=(*menu.pages, page()))

    return opened


# A throw: die, then face


def _throw_item(match: Match, entry: Numbered, seen: DiceAtThrow | None) -> Item:
    _, event = entry
    positions = list(_dice(event))
    given = event.player is not None
    faces = _short(event.answer)
    label = f"{event.player}: {faces}" if given else say("all: {faces}", faces=faces)
    if len(positions) == 1:  # nothing to choose between
        return Item(label, _opens(lambda: _face_page(match, entry, positions[0], seen)), given=given)
    return Item(label, _opens(lambda: _die_page(match, entry, seen)), given=given)


def _die_page(match: Match, entry: Numbered, seen: DiceAtThrow | None) -> Page:
    def item(position: DiePosition) -> Item:
        who, _ = position
        face = str(_face(entry[1], position))
        label = f"{who}: {face}" if who else face
        opens = _opens(lambda: _face_page(match, entry, position, seen))
        return Item(label, opens, given=True, tray=_drawing(entry[1], position, seen))

    return _listed(say("Which die?"), [item(position) for position in _dice(entry[1])], MORE)


def _face_page(match: Match, entry: Numbered, position: DiePosition, seen: DiceAtThrow | None) -> Page:
    number, event = entry
    read = _face(event, position)
    tray = _drawing(event, position, seen)
    items = [
        _answer_item(match, (number, event), str(face), with_face(event, position, face), tray)
        for face in FACES
        if face != read
    ]
    return Page(say("not a {n} but?", n=read), tuple(items))


def _drawing(event: Event, position: DiePosition, seen: DiceAtThrow | None) -> TrayDrawing | None:
    """Draw where the dice of this face lay, those of the throw itself; None if the camera did not see it."""
    if seen is None or position[0]:
        return None
    rest, spent_s = seen
    pairs = list(zip(rest.reading.dice, rest.arrived_s, strict=True))
    alike = [(die, at_s) for die, at_s in pairs if die.face == _face(event, position)]
    asked = [die for die, at_s in alike if at_s > spent_s and die.where == "tray"] or [die for die, _ in alike]
    return tray_drawing(rest, asked) if asked else None


def _dice(event: Event) -> Iterable[DiePosition]:
    """Yield a die of each face of each player: which of two equal ones was read wrongly makes no difference."""
    throws = event.value if isinstance(event.value, Mapping) else {"": event.value}
    for who, faces in throws.items():
        if isinstance(faces, tuple):
            yield from ((who, faces.index(face)) for face in dict.fromkeys(faces))


def _face(event: Event, position: DiePosition) -> int:
    return faces_of(event, position[0])[position[1]]


def faces_of(event: Event, who: str) -> tuple[int, ...]:
    """Return the faces of a throw; of a joint one those of this player, empty for somebody else."""
    faces = event.value.get(who) if isinstance(event.value, Mapping) else event.value
    return faces if isinstance(faces, tuple) else ()


def with_face(event: Event, position: DiePosition, face: int) -> Throw:
    """Return a throw with another face for one of its dice."""
    who, at = position
    own = faces_of(event, who)
    right = tuple(sorted((*own[:at], face, *own[at + 1 :])))
    return Throw({**event.value, who: right} if isinstance(event.value, Mapping) else right)


# A keep, a choice or a claim


def _might_differ(event: Event) -> bool:
    """Return whether another answer could have been given: not that a throw under the cup was made."""
    return not is_forced(event) and not (event.request and event.request.kind == "hide")


def _other_item(match: Match, entry: Numbered) -> Item:
    return Item(entry_text(entry[1]), _opens(lambda: _other_page(match, entry)))


def _other_page(match: Match, entry: Numbered) -> Page:
    number, event = entry
    request = event.request or Request("over")
    items = [
        _answer_item(match, (number, event), label, answer)
        for label, answer in _answers(request)
        if answer != event.answer
    ]
    return _listed(say("instead of {box}?", box=_short(event.answer)), items, MORE)


def _answers(request: Request) -> Iterable[tuple[str, Answer]]:
    if request.kind == "keep":
        return [(_short(Keep(part)), Keep(part)) for part in request.legal]
    return [(_short(Choose(option)), Choose(option)) for option in best_first(request)]


def _short(answer: Answer) -> str:
    if isinstance(answer, Choose):
        return answer.option
    return faces_text(all_faces(answer.faces)) or "nothing"


# What it leads to


def _answer_item(match: Match, entry: Numbered, label: str, answer: Answer, tray: TrayDrawing | None = None) -> Item:
    return Item(label, _opens(lambda: _sure_page(match, entry, answer)), tray=tray)


def _sure_page(match: Match, entry: Numbered, answer: Answer) -> Page:
    number, event = entry
    note = consequence(match, number, answer)
    title = say("{box} -> {box2}", box=_short(event.answer), box2=_short(answer))
    return Page(
        title, (Item(say("correct it"), Correct(number, answer), note), Item(say("leave it"), MenuAction.BACK, note))
    )


def consequence(match: Match, number: int, answer: Answer, most: int = MOST_LISTED) -> str:
    """Tell what a correction would change, and what would be lost by it: at most this many answers one by one."""
    (event,) = match.draft_correct(number, answer)
    right = replayed_with(match, (event,))
    lost = answers_lost_by(match, event.value) if isinstance(event.value, Correction) else ()
    change = change_text(match, right) or ("" if right.at_stake != match.at_stake else say("the scores stay"))
    stake = say("at stake {n}", n=right.at_stake) if right.at_stake != match.at_stake else ""
    asked = right.request.player
    turn = say("then it is {name}'s turn", name=asked) if asked and asked != match.request.player else ""
    return joined(change, stake, turn, lost_text((event for event in lost if not is_forced(event)), most))
