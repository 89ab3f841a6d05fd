"""The table's own network for phones: opened from the menu, and shown as codes to scan. Pure.

HOLD steps from the code of the network to the code of the page. Views other than displays and the terminal get no name
and no password.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

from tabletop.core.message import say
from tabletop.core.ports import Press
from tabletop.dialogs.commands import CloseHotspot, Decision, Dialog, MenuAction
from tabletop.dialogs.menu import Item, Menu, Page
from tabletop.views.snapshot import Scan, Snapshot

MEANT = str.maketrans({letter: f"\\{letter}" for letter in '\\;,":'})  # in a code, as ZXing has it
# Why something with the network was not done: what the helper answers -> a note.
WHY = {
    "bad-name": say("A Wi-Fi name has 1 to 32 bytes."),
    "bad-password": say("A Wi-Fi password has 8 to 63 characters."),
    "wrong-password": say("The network refuses this password."),
    "not-found": say("The network is out of reach."),
    "not-possible": say("This network needs more than a password."),
    "no-address": say("The network gave the table no address."),
    "no-radio": say("The table has no Wi-Fi."),
    "no-networkmanager": say("NetworkManager is not running."),
    "time-out": say("It took too long. Try again."),
    "busy": say("Another change is in progress. Try again."),
    "not-installed": say("The network can be changed here only on an installed table."),
}
FAILED = say("That failed")


@dataclass(frozen=True, slots=True)
class Hotspot:
    """The table's network now. busy: it opens or closes. name: empty while it is closed. why: a code of `WHY`."""

    busy: bool = False
    name: str = ""
    password: str = ""
    why: str = ""

    @property
    def code(self) -> Scan:
        """What lets a phone in."""
        name, password = (text.translate(MEANT) for text in (self.name, self.password))
        return Scan(f"WIFI:T:WPA;S:{name};P:{password};;", (self.name, self.password))


@dataclass(frozen=True, slots=True)
class HotspotDialog:
    """Shows the hotspot. look, page: return how it is now, and the code of the page. in_match: there is one."""

    look: Callable[[], Hotspot]
    page: Callable[[], Scan | None]
    in_match: bool
    at: int = 0

    def step_to(self, at: int) -> "HotspotDialog":
        """Return the dialog with this line selected, from 0."""
        return replace(self, at=at)

    def press(self, press: Press) -> Dialog | Decision:
        """Handle a press; return the dialog, or the decision."""
        then = self._menu.press(press)
        return self.step_to(then.pages[-1].at) if isinstance(then, Menu) else then

    @property
    def snapshot(self) -> Snapshot:
        """The snapshot of this dialog."""
        return self._menu.snapshot

    @property
    def _menu(self) -> Menu:
        now, page = self.look(), self.page()
        leave = MenuAction.BACK if self.in_match else MenuAction.START_MENU
        if now.busy or not now.name:
            note = (
                say("please wait a minute")
                if now.busy
                else WHY.get(now.why, FAILED)
                if now.why
                else say("it is closed")
            )
            items = [Item(say("back"), leave, note)]
        else:
            items = [Item(say("network"), lambda menu: menu.step_to(1), scan=now.code)]
            items += [Item(say("page"), leave, scan=page)] if page else []
            items += [Item(say("close the hotspot"), CloseHotspot()), Item(say("back"), leave)]
        return Menu((Page(say("Hotspot"), tuple(items), min(self.at, len(items) - 1)),), home=self.in_match)
