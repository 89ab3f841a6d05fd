"""An update from a USB stick, begun in the menu and done by the helper of an installed table: a thread waits for it."""

from dataclasses import replace
from threading import Thread
from typing import TYPE_CHECKING

from tabletop.dialogs import commands, update
from tabletop.service import admin

if TYPE_CHECKING:
    from tabletop.session.table_loop import Handlers


class Updater:
    """Updates from a stick, once at a time; `now` is how far it is."""

    def __init__(self) -> None:
        self.now = update.Update(busy=False)
        self.handlers: Handlers = {commands.MenuAction.UPDATE: self._begin}

    def _begin(self, _: commands.MenuAction, session: object) -> update.UpdateDialog:
        if not self.now.busy:
            self.now = update.Update()
            Thread(target=self._work, name="update", daemon=True).start()
        return update.UpdateDialog(lambda: self.now, session is not None)

    def _work(self) -> None:
        why = "missing"
        try:
            for answer in admin.ask("update-from", {"place": "stick"}):
                if "step" in answer:
                    step = str(answer["step"]), int(answer.get("n", 0)), int(answer.get("of", 1))
                    self.now = replace(self.now, step=step)
                why = str(answer.get("refused", "failed"))
        except admin.AdminMissing:
            pass
        self.now = update.Update(busy=False, why=why)
