"""The hotspot in the menu, opened and closed by the helper of an installed table: a thread waits for it."""

from threading import Thread
from typing import TYPE_CHECKING

from tabletop.dialogs.commands import CloseHotspot, MenuAction
from tabletop.dialogs.hotspot import Hotspot, HotspotDialog
from tabletop.service import admin
from tabletop.views.snapshot import Scan

if TYPE_CHECKING:
    from tabletop.session.table_loop import Handlers
    from tabletop.web.page import Page


class HotspotKeeper:
    """Opens and closes the hotspot, one after the other; `now` is what is known of it. pages: empty until it opens."""

    def __init__(self, pages: "list[Page]") -> None:
        self._pages = pages
        self.now = Hotspot()
        self.handlers: Handlers = {MenuAction.HOTSPOT: self._open, CloseHotspot: lambda *_: self._turn(on=False)}

    def _open(self, _: MenuAction, session: object) -> HotspotDialog:
        self._turn(on=True)
        return HotspotDialog(lambda: self.now, self._page, in_match=session is not None)

    def _page(self) -> Scan | None:
        return self._pages[0].scan if self._pages else None

    def _turn(self, *, on: bool) -> None:
        if not self.now.busy:
            self.now = Hotspot(busy=True)
            Thread(target=self._work, args=(on,), name="hotspot", daemon=True).start()

    def _work(self, on: bool) -> None:
        try:
            *_, last = admin.ask("hotspot", {"on": on})
        except admin.AdminMissing:
            last = {"refused": "not-installed"}
        done = last.get("done") or {}
        self.now = Hotspot(
            name=str(done.get("ssid", "")), password=str(done.get("password", "")), why=str(last.get("refused", ""))
        )
