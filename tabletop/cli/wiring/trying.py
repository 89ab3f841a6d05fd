"""New settings on trial: the table asks whether they stay. Otherwise root's helper brings the old ones back."""

import os
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from threading import Thread

from tabletop.config.file import default_path
from tabletop.dialogs.commands import Dialog, Inbox, MenuAction
from tabletop.dialogs.menu import parts_page, trial_page
from tabletop.service import admin
from tabletop.session import match_session, table_loop

OLD = ".trial"  # ends the name of the settings before, while new ones are on trial (systemd/admin/trial.py)
TRIES, AGAIN_S = 10, 1.0  # to reach a helper that is busy
VERBS = {MenuAction.KEEP_SETTINGS: "keep", MenuAction.OLD_SETTINGS: "back"}


def ask_if_on_trial(config: Path | None, inbox: Inbox | None) -> None:
    """Let the table ask first whether its settings stay, if they are on trial."""
    file = config or default_path()
    if inbox is not None and os.path.lexists(f"{file}{OLD}"):
        inbox.put(MenuAction.TRY_SETTINGS)


def handlers(log: Callable[[str], None]) -> table_loop.Handlers:
    """Return the handlers of tests and trials. log: told in a thread why a trial could not be ended."""

    def test(_: object, session: match_session.MatchSession | None) -> Dialog:
        return parts_page(in_match=session is not None)

    def end(decision: MenuAction, session: match_session.MatchSession | None) -> match_session.MatchSession | None:
        Thread(target=_end, args=(VERBS[decision], log), name="trial", daemon=True).start()
        return session

    return {MenuAction.TEST_PARTS: test, MenuAction.TRY_SETTINGS: lambda *_: trial_page(), **dict.fromkeys(VERBS, end)}


def _end(verb: str, log: Callable[[str], None]) -> None:
    with suppress(admin.AdminMissing):
        for _ in range(TRIES):
            refused = [*admin.ask(verb, {})][-1].get("refused")
            if refused != "busy":
                break
            time.sleep(AGAIN_S)  # it has just seen the table start
        else:
            log("the settings on trial: expected to end them, but root's helper is busy")
