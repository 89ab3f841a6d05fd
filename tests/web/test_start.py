"""The first steps on the page, over plain HTTP."""

import json
import time
from pathlib import Path

from page_visitor import Visitor, let_in

from tabletop.core.message import say
from tabletop.dialogs.setup_state import SetupContext
from tabletop.store.first_steps import FirstSteps
from tabletop.views.i18n.catalogue import load_language
from tabletop.views.i18n.translate import translated
from tabletop.views.snapshot import Snapshot
from tabletop.web.page import Page


def offer(page: Page, first: FirstSteps) -> None:
    page.offer(lambda _: SetupContext(()), lambda: None, tuple, first=first)


def marked(visitor: Visitor, step: object, how: object = "done") -> int:
    return visitor.post("/start/step", {"step": step, "how": how}).status


def test_phones_see_the_same_step_and_go_on_with_it(page: Page, tmp_path: Path) -> None:
    """What one has done the other need not do; strangers and other words are refused."""
    offer(page, FirstSteps(tmp_path / "a.db", is_new=True, offers=True))
    one, other, stranger = let_in(page), let_in(page), Visitor(page.address)
    assert stranger.get("/start").status == marked(stranger, "camera") == 403
    assert marked(one, "camera") == 200
    assert json.loads(other.get("/start").body)["step"] == "tray"
    assert marked(other, "tray", "skipped") == 200
    told = json.loads(one.get("/start").body)
    assert (told["step"], told["marks"]) == ("dice", {"camera": "done", "tray": "skipped"})
    for step, how in (("lamp", "done"), (1, "done"), (["camera"], "done"), ("camera", None), ("camera", {})):
        assert marked(one, step, how) == 400
    assert one.post("/start/step", {"step": "camera", "how": "done"}, Origin="http://evil.example").status == 403


def test_words_and_trouble_are_in_the_language_of_the_table(page: Page, tmp_path: Path) -> None:
    """A camera that was unplugged is named on the page."""
    unplugged = say("page: no network yet")
    offer(page, FirstSteps(tmp_path / "a.db", trouble=lambda: unplugged))
    german = load_language("de")
    page.show(translated(Snapshot(), german), None, time.monotonic())
    told = json.loads(let_in(page).get("/start").body)
    assert told["trouble"] == german.translate(unplugged, ("hints",)) != unplugged
    assert told["words"]["title"] == german.sections["screen"]["First steps"]


def test_only_a_new_table_opens_them(page: Page, tmp_path: Path) -> None:
    """The first match ends that, no matter who began it."""
    offer(page, FirstSteps(tmp_path / "a.db", is_new=True, offers=True))
    stranger, visitor = Visitor(page.address), let_in(page)

    def opens(visitor: Visitor = visitor) -> bool:
        with visitor.events() as events:
            return bool(next(told["start"] for name, told in events if name == "you"))

    assert opens()
    assert not opens(stranger)
    page.show(Snapshot("Pig", ("Ann", "Ben"), (0, 0), "Ann", number=1), None, time.monotonic())
    assert not opens()
