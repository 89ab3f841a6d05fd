"""Long BANK in play: what would be taken back, said before it is. Pure: a match in, a question or None out.

The offers are the newest steps, one, two or three of them at once, each with what it takes back; where the newest thing
is a throw that was taken for rolling on, a BANK that was forgotten comes first (`missed_banks`). BANK takes what is
shown, and so does the same long BANK again; HOLD goes on to the next; the last one leaves everything as it is.

The question closes with one answer. It does not stay open for the next step: with it open a BANK too many would take
back one more, just when BANK is what reads the dice again, and the table would stand behind the question. A player who
wants to go back three steps sees all three and takes them at once; who wants to go back further presses long BANK
again.

A forgotten BANK: Ann should have stopped, Ben threw, and the table took it for Ann rolling on. It is found in the log,
not in what is asked now: the throw may have cost Ann her turn, or Ben may have gone on for a while. What stands is then
played again as if Ann had stopped: first the stop, then what was given after it, for as long as the player asked then
could have given it. The number of dice tells whether the throw can be the next player's.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from tabletop.core.errors import RefusedError
from tabletop.core.message import say
from tabletop.core.ports import Press
from tabletop.dialogs.decisions import Decision, Dialog, MenuAction, TakeBack
from tabletop.dialogs.event_text import change_text, entry_text, joined, lost_text, win_text
from tabletop.dialogs.menu import Item, Menu, Page
from tabletop.interpret.log_views import Entries, in_force, is_forced, played_on, replayed_with, undos
from tabletop.interpret.offers import ROLL_ON, stop_option
from tabletop.rules import Answer, Choose, Event, Match, Request
from tabletop.rules.events import COUNTED
from tabletop.views.snapshot import Snapshot


@dataclass(frozen=True, slots=True)
class MissedBank:
    """A stop that may have been forgotten, and what would stand with it.

    text: one line for people. entries: how many of the newest entries in force it takes back. answers: what is given
    instead, the stop first. replayed: the events that those make after the stop, without those that give themselves;
    the first is the throw, if it can be the next player's. lost: what was given after the stop and no longer fits.
    change: what it changes in the scores. may_be: whether the dice speak for it: the next player may have thrown them,
    or with the stop nobody has anything more to throw.
    """

    text: str
    entries: int
    answers: tuple[Answer, ...]
    replayed: Entries
    lost: Entries
    change: str
    may_be: bool


def missed_banks(match: Match, entries: Sequence[Event], most: int) -> list[MissedBank]:
    """Return the stops that may have been forgotten, the newest first, at most this many.

    entries: those in force. A stop is looked for only before throws of one player, with nobody else's answer since: who
    has seen the next player throw in his own name has nothing to complain of. Where the same player is asked after the
    stop as well, nobody else can have thrown.
    """
    found: list[MissedBank] = []
    for at in _rolled_on(entries):
        if len(found) == most:
            break
        slip = _as_stopped(match, entries, at)
        if slip is not None:
            found.append(slip)
    return found


def _rolled_on(entries: Sequence[Event]) -> Iterator[int]:
    """Yield, newest first, where a player rolled on who might have stopped, if a throw followed."""
    thrower: str | None = None
    after: Event | None = None  # what people gave next
    for at in range(len(entries) - 1, -1, -1):
        event = entries[at]
        if event.kind not in COUNTED or event.player is None:
            return
        if is_forced(event):
            continue
        rolled_on = event.request is not None and stop_option(event.request) and event.answer == Choose(ROLL_ON)
        if rolled_on and after is not None and after.kind == "throw":
            yield at
        thrower = thrower or event.player
        if event.player != thrower:
            return
        after = event


def _as_stopped(match: Match, entries: Sequence[Event], at: int) -> MissedBank | None:
    """Play what came after as if the answer at this place had been to stop; None if no other player is asked then."""
    slip = entries[at]
    stop = stop_option(slip.request) if slip.request else None
    past = replayed_with(match, undos(len(entries) - at))
    if stop is None:
        return None
    given = list(played_on(past, Choose(stop)))
    asked = past.request
    if asked.player == slip.player:
        return None
    later = [event for event in entries[at + 1 :] if not is_forced(event)]
    replayed: list[Event] = []
    for event in later:
        if past.request.player != asked.player:
            break
        try:
            played = played_on(past, event.answer)
        except RefusedError:
            break
        replayed.append(played[0])
        given += played
    return MissedBank(
        _stopped_first(stop, slip.player or "", _then(asked, past.winners, replayed)),
        len(entries) - at,
        tuple(event.answer for event in given),
        tuple(replayed),
        tuple(later[len(replayed) :]),
        change_text(match, past),
        may_be=bool(replayed) or past.over,
    )


def _stopped_first(stop: str, name: str, then: str) -> str:
    if stop == "bank":
        return say("{name} banked first, {then}", name=name, then=then)
    return say("{name} stopped first, {then}", name=name, then=then)


def _then(asked: Request, winners: Sequence[str], replayed: Sequence[Event]) -> str:
    """Say what comes after the stop. asked: the request then; replayed: what was given again; winners: after all."""
    throws = sum(event.kind == "throw" for event in replayed)
    name = asked.player or ""
    if throws == 1:
        return say("this throw is {name}'s", name=name)
    if throws == len(("one", "another")):
        return say("both throws are {name}'s", name=name)
    if throws:
        return say("{n} throws are {name}'s", n=throws, name=name)
    if asked.kind == "over":
        return win_text(winners)
    if asked.kind != "roll":
        return say("{name} goes on", name=name)
    return say("all throw again") if asked.player is None else say("{name} throws again", name=name)


STEPS_OFFERED = 3  # with the forgotten BANKs and "leave it" no answer is further than eight presses
TAKES_BACK, AGREES, LEAVES = say("undo"), say("yes"), say("leave")  # what BANK does, on the bottom line
FORGOTTEN_OFFERED = 2  # Ben has thrown once before somebody noticed, or twice


@dataclass(frozen=True, slots=True)
class UndoDialog:
    """The open question. choice: one page of offers, "leave it" last; so does MENU, which goes back everywhere."""

    choice: Menu

    def step_to(self, at: int) -> "UndoDialog":
        """Return it with this line stepped to, from 0."""
        return UndoDialog(self.choice.step_to(at))

    def press(self, press: Press) -> Dialog | Decision:
        """Return what is asked after this press, or what was decided; long BANK takes, as BANK does."""
        if press.menu:
            return MenuAction.STAY
        if press.button == "bank" and press.long and not press.repeat:
            press = Press("bank")
        led = self.choice.press(press)
        return UndoDialog(led) if isinstance(led, Menu) else led

    @property
    def snapshot(self) -> Snapshot:
        """What views draw of it; BANK is called what it does."""
        page = self.choice.pages[-1]
        leads = page.items[page.at].target
        does = LEAVES if not isinstance(leads, TakeBack) else AGREES if leads.answers else TAKES_BACK
        shown, leave = self.choice.snapshot, len(page.items) - 1
        return replace(shown, bank=does, menu=shown.menu and replace(shown.menu, weighty=True, leave=leave))


def undo_question(match: Match, *, rolled_on_by_throwing: bool = True) -> UndoDialog | None:
    """Return the question for this match as it stands, None if nothing can be taken back.

    rolled_on_by_throwing: whether it was the newest throw itself that said to roll on. Who said so with HOLD has not
    forgotten BANK: plain undo comes first then, and also where this many dice cannot be the next player's throw.
    """
    entries = in_force(match.log)
    steps = newest_steps(entries)
    if not steps:
        return None
    slips = missed_banks(match, entries, FORGOTTEN_OFFERED)
    offers = list(map(_slip_item, slips))
    plain = list(_undo_items(match, steps))
    likely = rolled_on_by_throwing and steps[0][0].kind == "throw" and bool(slips) and slips[0].may_be
    first = offers[:1] + plain[:1] if likely else plain[:1] + offers[:1]
    items = (*first, *offers[1:], *plain[1:], Item(say("leave it"), MenuAction.STAY, say("nothing is taken back")))
    return UndoDialog(Menu((Page(say("Take back?"), items),), home=True))


def newest_steps(entries: Sequence[Event]) -> list[Entries]:
    """Return what each of the newest undos would take back, the newest first, at most `STEPS_OFFERED`.

    A step is an entry that people gave, with the answers that the table gave itself after it: undone alone, those would
    be given again at once. Answers that the table gave before any player's are not steps.
    """
    steps: list[Entries] = []
    end = len(entries)
    for at in range(len(entries) - 1, -1, -1):
        if len(steps) == STEPS_OFFERED:
            break
        if not is_forced(entries[at]):
            steps.append(tuple(entries[at:end]))
            end = at
    return steps


def _undo_items(match: Match, steps: Sequence[Entries]) -> Iterator[Item]:
    """Yield the offers to take back the newest step, whose label is what people gave, the newest two, and so on."""
    changes = _changes(match, steps)
    for count in range(1, len(steps) + 1):
        taken = [event for step in steps[:count] for event in step]
        texts = list(map(entry_text, taken))
        label = texts.pop(0) if count == 1 else say("{n} steps", n=count)
        yield Item(label, TakeBack(len(taken)), joined(*texts, changes[count - 1]))


def _changes(match: Match, steps: Sequence[Entries]) -> list[str]:
    """Return what taking back one step, two, ... changes in the scores: the match is played once, not once a step."""
    past = replayed_with(match, undos(sum(map(len, steps))))
    changes = [change_text(match, past)]
    for step in reversed(steps[1:]):
        past.apply(*step)
        changes.append(change_text(match, past))
    return changes[::-1]


def _slip_item(slip: MissedBank) -> Item:
    return Item(
        slip.text,
        TakeBack(slip.entries, slip.answers),
        joined(slip.change, *map(entry_text, slip.replayed), lost_text(slip.lost)),
    )
