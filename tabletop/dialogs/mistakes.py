"""Undo mistakes: long BANK undoes a step, the menu corrects an answer. Pure.

Long BANK shows the newest step. BANK undoes it, and so does another long BANK; HOLD moves on to "leave it". One answer
closes the question: otherwise one BANK too many would undo another step.

A forgotten BANK: Ann should have stopped, Ben threw, and the table took it for Ann rolling on. It is found in the log,
since the throw may have cost Ann her turn, or Ben may have continued for a while. If the throw can be Ben's, the first
offer is to continue from there as if Ann had stopped.

A correction asks which throw, die and face, shows what would change and be lost, and asks for confirmation. Every page
is a list of at most `LONGEST_LIST` lines, the newest throws first, older ones on a page behind it.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import islice, pairwise

from tabletop.core import FACES, RefusedError, Rest, ports, say
from tabletop.dialogs import event_text
from tabletop.dialogs.commands import Correct, Decision, Dialog, MenuAction, TakeBack
from tabletop.dialogs.menu import Item, Menu, Opening, Page
from tabletop.interpret import choices, obvious
from tabletop.interpret.log_views import Entries, in_force, is_forced, replayed_with, undos
from tabletop.interpret.offers import stop_option
from tabletop.rules import COUNTED, Answer, Choose, Correction, Event, Keep, Match, Request, Throw, faces_text
from tabletop.views.snapshot import Snapshot, TrayDrawing

TAKES_BACK, AGREES, LEAVES = say("undo"), say("yes"), say("leave")  # labels of BANK
TAKE_BACK, CORRECT_IT, LEAVE_IT = say("Take back?"), say("correct it"), say("leave it")
FORGOTTEN_OFFERED = 2  # forgotten BANKs: Ben has thrown once or twice before anybody noticed


@dataclass(frozen=True, slots=True)
class UndoDialog:
    """The undo question. choice: the actions of BANK, then "leave it", which MENU does too."""

    choice: Menu

    def step_to(self, at: int) -> "UndoDialog":
        """Return the dialog with this line selected, from 0."""
        return UndoDialog(self.choice.step_to(at))

    def press(self, press: ports.Press) -> Dialog | Decision:
        """Handle a press; return the next dialog, or the decision; long BANK acts like BANK."""
        if press.menu:
            return MenuAction.STAY
        if press.button == "bank" and press.long and not press.repeat:
            press = ports.Press("bank")
        led = self.choice.press(press)
        return UndoDialog(led) if isinstance(led, Menu) else led

    @property
    def snapshot(self) -> Snapshot:
        """The snapshot of this dialog; BANK is labelled with its action."""
        page = self.choice.pages[-1]
        leads = page.items[page.at].target
        does = LEAVES if not isinstance(leads, TakeBack) else AGREES if leads.answers else TAKES_BACK
        shown, leave = self.choice.snapshot, len(page.items) - 1
        return replace(shown, bank=does, menu=shown.menu and replace(shown.menu, weighty=True, leave=leave))


def undo_question(match: Match, *, rolled_on_by_throwing: bool = True) -> UndoDialog | None:
    """Return the undo question for this match, None if nothing can be undone.

    rolled_on_by_throwing: whether the newest throw itself decided to roll on. After HOLD nobody has forgotten BANK, so
    plain undo comes first then.
    """
    entries = in_force(match.log)
    taken = newest_step(entries)
    if not taken:
        return None
    label, *texts = map(event_text.entry_text, taken)
    change = event_text.change_text(match, replayed_with(match, undos(len(taken))))
    undo = Item(label, TakeBack(len(taken)), event_text.joined(*texts, change))
    slips = [_if_stopped(match, entries, at, stop) for at, stop in islice(_rolled_on(entries), FORGOTTEN_OFFERED)]
    offers = list(filter(None, slips))
    likely = rolled_on_by_throwing and taken[0].kind == "throw" and slips[:1] == offers[:1]
    offers.insert(1 if likely else 0, undo)
    items = (*offers, Item(LEAVE_IT, MenuAction.STAY, say("nothing is taken back")))
    return UndoDialog(Menu((Page(TAKE_BACK, items),), home=True))


def newest_step(entries: Sequence[Event]) -> Entries:
    """Return what an undo takes back: the newest entry given by people, with the table's forced answers after it.

    Undone alone, the forced answers would be given again at once. Empty if no player has given anything yet.
    """
    first = max((at for at, event in enumerate(entries) if not is_forced(event)), default=len(entries))
    return tuple(entries[first:])


def _rolled_on(entries: Sequence[Event]) -> Iterator[tuple[int, str]]:
    """Yield where a player rolled on and a throw followed, the newest first, and the option that would have stopped.

    Once another player has answered under their own name, nobody has a slip to correct.
    """
    given = [(at, event) for at, event in enumerate(entries) if not is_forced(event)]
    for (_, after), (at, event) in pairwise(reversed(given)):
        if not {event.kind, after.kind} <= COUNTED or event.player != after.player:
            return
        stop = stop_option(event.request) if event.request else None
        if after.kind != "throw":
            continue
        if event.kind == "throw" or event.answer == Choose(stop or ""):  # the throw after it began a turn of their own
            return
        if stop:
            yield at, stop


def _if_stopped(match: Match, entries: Sequence[Event], at: int, stop: str) -> Item | None:
    """Offer to stop at this place and to play on with what came after, as long as it can be the next player's.

    None where the throw after it can only be that of the player who rolled on.
    """
    name, later = entries[at].player, [event for event in entries[at + 1 :] if not is_forced(event)]
    past = replayed_with(match, undos(len(entries) - at))
    given = _play_on(past, Choose(stop))
    follower, replayed = past.request.player, list[Event]()
    with suppress(RefusedError):
        for event in later:
            if past.request.player != follower or follower == name:
                break
            played = _play_on(past, event.answer)
            given += played
            replayed.append(played[0])
    throws = sum(event.kind == "throw" for event in replayed)
    if not throws and not past.over:
        return None
    label = _stopped_first(
        stop, name or "", _whose(throws, follower or "") if throws else event_text.win_text(past.winners)
    )
    changes = (
        event_text.change_text(match, past),
        *map(event_text.entry_text, replayed),
        event_text.lost_text(later[len(replayed) :]),
    )
    return Item(label, TakeBack(len(entries) - at, tuple(event.answer for event in given)), event_text.joined(*changes))


def _stopped_first(stop: str, name: str, then: str) -> str:
    if stop == "bank":
        return say("{name} banked first, {then}", name=name, then=then)
    return say("{name} stopped first, {then}", name=name, then=then)


def _whose(throws: int, name: str) -> str:
    if throws == 1:
        return say("this throw is {name}'s", name=name)
    return say("{n} throws are {name}'s", n=throws, name=name)


def _play_on(match: Match, answer: Answer) -> list[Event]:
    """Give an answer and those that the table gives after it, and return their events; RefusedError changes nothing."""
    events = list(match.draft(answer))
    match.apply(*events)
    while alone := obvious(match.request):
        forced = match.draft(*alone)
        match.apply(*forced)
        events += forced
    return events


OLDER, MORE = say("older"), say("more")  # lines that lead to another page
LONGEST_LIST = 8  # lines: any of them is within eight presses

Numbered = tuple[int, Event]
SeenThrow = tuple[Rest, float]
"""What lay in the tray when a throw was taken, and the time after which its dice came to lie there."""
DiePosition = tuple[str, int]
"""Whose die in a joint throw, else "", and its index among that player's dice."""


def correct_menu(match: Match, seen: Mapping[int, SeenThrow] | None = None) -> Menu | None:
    """Return the menu for corrections of this match, None if nothing was answered yet.

    seen: event number -> the dice in the tray at that throw, for the drawing with the die in question.
    """
    counted = [event for event in match.events if event.kind in COUNTED]
    newest_first = list(enumerate(counted, start=1))[::-1]
    seen = seen or {}
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


def _throw_item(match: Match, entry: Numbered, seen: SeenThrow | None) -> Item:
    _, event = entry
    positions = list(_dice(event))
    given = event.player is not None
    faces = _short(event.answer)
    label = f"{event.player}: {faces}" if given else say("all: {faces}", faces=faces)
    if len(positions) == 1:  # no choice needed
        return Item(label, _opens(lambda: _face_page(match, entry, positions[0], seen)), given=given)
    return Item(label, _opens(lambda: _die_page(match, entry, seen)), given=given)


def _die_page(match: Match, entry: Numbered, seen: SeenThrow | None) -> Page:
    def item(position: DiePosition) -> Item:
        who, _ = position
        face = str(_face(entry[1], position))
        label = f"{who}: {face}" if who else face
        opens = _opens(lambda: _face_page(match, entry, position, seen))
        return Item(label, opens, given=True, tray=_drawing(entry[1], position, seen))

    return _listed(say("Which die?"), [item(position) for position in _dice(entry[1])], MORE)


def _face_page(match: Match, entry: Numbered, position: DiePosition, seen: SeenThrow | None) -> Page:
    read, tray = _face(entry[1], position), _drawing(entry[1], position, seen)
    items = [
        replace(_answer_item(match, entry, str(face), with_face(entry[1], position, face)), tray=tray)
        for face in FACES
        if face != read
    ]
    return Page(say("not a {n} but?", n=read), tuple(items))


def _drawing(event: Event, position: DiePosition, seen: SeenThrow | None) -> TrayDrawing | None:
    """Draw where the dice of this face lay, those of the throw itself; None if the camera did not see it."""
    if seen is None or position[0]:
        return None
    rest, since_s = seen
    alike = [(die, at_s) for die, at_s in rest.dated_dice if die.face == _face(event, position)]
    asked = [die for die, at_s in alike if at_s > since_s] or [die for die, _ in alike]
    return event_text.tray_drawing(rest, asked) if asked else None


def _dice(event: Event) -> Iterable[DiePosition]:
    """Yield a die of each face of each player: which of two equal ones was read wrongly makes no difference."""
    throws = event.value if isinstance(event.value, Mapping) else {"": event.value}
    for who, faces in throws.items():
        if isinstance(faces, tuple):
            yield from ((who, faces.index(face)) for face in dict.fromkeys(faces))


def _face(event: Event, position: DiePosition) -> int:
    return faces_of(event, position[0])[position[1]]


def faces_of(event: Event, who: str) -> tuple[int, ...]:
    """Return the faces of a throw; of a joint one this player's faces, empty if they did not throw."""
    faces = event.value.get(who) if isinstance(event.value, Mapping) else event.value
    return faces if isinstance(faces, tuple) else ()


def with_face(event: Event, position: DiePosition, face: int) -> Throw:
    """Return a throw with the face of one die replaced."""
    who, at = position
    own = faces_of(event, who)
    right = tuple(sorted((*own[:at], face, *own[at + 1 :])))
    return Throw({**event.value, who: right} if isinstance(event.value, Mapping) else right)


# A keep, a choice or a claim


def _might_differ(event: Event) -> bool:
    """Return whether another answer could have been given: not that a throw under the cup was made."""
    return not is_forced(event) and not (event.request and event.request.kind == "hide")


def _other_item(match: Match, entry: Numbered) -> Item:
    return Item(event_text.entry_text(entry[1]), _opens(lambda: _other_page(match, entry)))


def _other_page(match: Match, entry: Numbered) -> Page:
    event = entry[1]
    answers = _answers(event.request or Request("over"))
    items = [_answer_item(match, entry, label, answer) for label, answer in answers if answer != event.answer]
    return _listed(say("instead of {box}?", box=_short(event.answer)), items, MORE)


def _answers(request: Request) -> Iterable[tuple[str, Answer]]:
    if request.kind == "keep":
        return [(_short(Keep(part)), Keep(part)) for part in request.legal]
    return [(_short(Choose(option)), Choose(option)) for option in choices.best_first(request)]


def _short(answer: Answer) -> str:
    if isinstance(answer, Choose):
        return answer.option
    return faces_text(event_text.all_faces(answer.faces)) or "nothing"


# Consequences


def _answer_item(match: Match, entry: Numbered, label: str, answer: Answer) -> Item:
    return Item(label, _opens(lambda: _sure_page(match, entry, answer)))


def _sure_page(match: Match, entry: Numbered, answer: Answer) -> Page:
    number, event = entry
    note = consequence(match, number, answer)
    title = say("{box} -> {box2}", box=_short(event.answer), box2=_short(answer))
    return Page(title, (Item(CORRECT_IT, Correct(number, answer), note), Item(LEAVE_IT, MenuAction.BACK, note)))


def consequence(match: Match, number: int, answer: Answer, most: int = event_text.MOST_LISTED) -> str:
    """Describe what a correction would change, and what would be lost, listing at most this many answers."""
    (event,) = match.draft_correct(number, answer)
    right = replayed_with(match, (event,))
    change = event_text.change_text(match, right) or (
        "" if right.at_stake != match.at_stake else say("the scores stay")
    )
    stake = say("at stake {n}", n=right.at_stake) if right.at_stake != match.at_stake else ""
    asked = right.request.player
    turn = say("then it is {name}'s turn", name=asked) if asked and asked != match.request.player else ""
    return event_text.joined(change, stake, turn, event_text.lost_text(lost_by(match, event), most))


def lost_by(match: Match, correction: Event) -> Entries:
    """Return the entries given by people that a drafted correction drops, leaves and joins included."""
    if not isinstance(correction.value, Correction) or not correction.value.dropped:
        return ()
    counted = [at for at, event in enumerate(match.events) if event.kind in COUNTED]
    first = counted[min(correction.value.dropped) - 1]
    return tuple(event for event in match.events[first:] if not is_forced(event))
