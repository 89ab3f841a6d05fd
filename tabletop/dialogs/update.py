"""An update from a USB stick, begun at the table: "check the table", "update". Pure."""

from collections.abc import Callable
from dataclasses import dataclass

from tabletop.core.message import Message, say
from tabletop.core.ports import Press
from tabletop.dialogs.commands import Decision, Dialog, MenuAction
from tabletop.dialogs.menu import Item, Menu, Page
from tabletop.views.snapshot import Snapshot

# Why a version was not installed: what the helper answers -> a note.
WHY = {
    "forged": say("This archive is not signed with this table's key. Nothing was changed."),
    "older": say("This version is older than the one that runs. Nothing was changed."),
    "same": say("This version is already installed."),
    "lacks": say("A package is missing: connect the table to the internet, or get an archive that has all."),
    "no-room": say("There is too little room on the card. Nothing was changed."),
    "cut": say("Only a part of the archive arrived. Nothing was changed."),
    "not-ready": say("The new version did not start, so the old one runs again."),
    "not-installed": say("The new version could not be installed. The old one runs."),
    "came-back": say("The change was cut off or not confirmed. Everything is as before."),
    "no-key": say("This table does not know whose updates to trust: copy the maker's release.pub to /etc/tabletop."),
    "no-archive": say("No signed archive was found there: tabletop-….tar.gz with its .sig beside it."),
    "no-address": say("There is no https address in /etc/tabletop/release.url."),
    "unreachable": say("The release address cannot be reached."),
    "no-version": say("There is no other version on this table."),
    "on-trial": say("New settings are on trial. Keep them or take them back first."),
    "busy": say("The table is busy with another change. Try again in a minute."),
    "missing": say("Only an installed table can be updated here."),
    "failed": say("This failed. Try again."),
}


@dataclass(frozen=True, slots=True)
class Update:
    """An update now. busy: it is under way. step: the helper's last one, and how far it is. why: a key of `WHY`."""

    busy: bool = True
    step: tuple[str, int, int] = ("look", 0, 1)
    why: str = ""

    @property
    def note(self) -> Message:
        """How far it is, or why it ended: a table that is updated starts again instead."""
        if not self.busy:
            return WHY.get(self.why, WHY["failed"])
        name, done, whole = self.step
        if name == "receive":
            return say("Receiving the new version: {n} of {n2}", n=done, n2=whole)
        if name == "install":
            return say("Installing, step {n} of {n2}. Do not pull the plug.", n=done, n2=whole)
        return say("Looking for a new version")


@dataclass(frozen=True, slots=True)
class UpdateDialog:
    """Shows an update, which goes on without it. look: returns how it is now. in_match: there is one."""

    look: Callable[[], Update]
    in_match: bool

    def step_to(self, _: int) -> "UpdateDialog":
        """Return the dialog itself: it has one line."""
        return self

    def press(self, press: Press) -> Dialog | Decision:
        """Handle a press: BANK leaves."""
        then = self._menu.press(press)
        return self if isinstance(then, Menu) else then

    @property
    def snapshot(self) -> Snapshot:
        """The snapshot of this dialog."""
        return self._menu.snapshot

    @property
    def _menu(self) -> Menu:
        leave = MenuAction.BACK if self.in_match else MenuAction.START_MENU
        return Menu((Page(say("Update"), (Item(say("back"), leave, self.look().note),)),), home=self.in_match)
