"""Long BANK in play: what would be taken back, said before it is. Pure: a match in, a question or None out.

The offers are the newest steps, one, two or three of them at once, each with what it takes back. BANK takes what is
shown, and so does the same long BANK again; HOLD goes on to the next; the last one leaves everything as it is.

The question closes with one answer. It does not stay open for the next step: with it open a BANK too many would take
back one more, just when BANK is what reads the dice again, and the table would stand behind the question. A player who
wants to go back three steps sees all three and takes them at once; who wants to go back further presses long BANK
again.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from tabletop.core.message import say
from tabletop.core.ports import Press
from tabletop.dialogs.commands import Decision, Dialog, MenuAction, TakeBack
from tabletop.dialogs.event_text import change_text, entry_text, joined
from tabletop.dialogs.menu import Item, Menu, Page
from tabletop.interpret.log_views import Entries, in_force, is_forced, replayed_with, undos
from tabletop.rules import Event, Match
from tabletop.views.snapshot import Snapshot

STEPS_OFFERED = 3
TAKES_BACK, LEAVES = say("undo"), say("leave")  # what BANK does, on the bottom line


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
        does = TAKES_BACK if isinstance(leads, TakeBack) else LEAVES
        shown, leave = self.choice.snapshot, len(page.items) - 1
        return replace(shown, bank=does, menu=shown.menu and replace(shown.menu, weighty=True, leave=leave))


def undo_question(match: Match) -> UndoDialog | None:
    """Return the question for this match as it stands, None if nothing can be taken back."""
    steps = newest_steps(in_force(match.log))
    if not steps:
        return None
    items = (*_undo_items(match, steps), Item(say("leave it"), MenuAction.STAY, say("nothing is taken back")))
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
