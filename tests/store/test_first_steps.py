"""The first steps: which one is due, what was put off, and that any phone finds them again."""

from pathlib import Path

import pytest

from tabletop.store.first_steps import FILE_NAME, STEPS, FirstSteps


def test_each_step_is_done_or_put_off_and_the_next_is_due(tmp_path: Path) -> None:
    """In the order of issue 53; after a restart the table goes on there."""
    first = FirstSteps(tmp_path / "a.db")
    due = [first.step]
    for step, how in (("camera", "done"), ("tray", "skipped"), ("dice", "done")):
        first.mark(step, how)  # type: ignore[arg-type] # words of this list
        due.append(first.step)
        assert FirstSteps(tmp_path / "a.db").step == first.step
    assert due == ["camera", "tray", "dice", "match"]
    assert FirstSteps(tmp_path / "a.db").marks == {"camera": "done", "tray": "skipped", "dice": "done"}


def test_a_step_that_was_put_off_can_be_done_later(tmp_path: Path) -> None:
    """Opened again it is due; those before it that nobody did are put off."""
    first = FirstSteps(tmp_path / "a.db")
    first.mark("dice", "open")
    assert (first.step, first.marks) == ("dice", {"camera": "skipped", "tray": "skipped"})
    first.mark("tray", "open")
    assert first.step == "tray"
    first.mark("tray", "done")
    assert first.step == "dice"


def test_a_table_without_a_camera_is_at_the_match_after_one_tap(tmp_path: Path) -> None:
    """Nothing can be shown to it."""
    first = FirstSteps(tmp_path / "a.db", sees=False)
    first.mark("camera", "done")
    assert first.step == "match"


def test_they_open_automatically_on_a_new_table_only(tmp_path: Path) -> None:
    """Not where a match was begun, not once the last was done, and not on a table in a terminal."""
    assert not FirstSteps(tmp_path / "a.db", is_new=True).opens
    assert not FirstSteps(tmp_path / "a.db", offers=True).opens
    first = FirstSteps(tmp_path / "a.db", is_new=True, offers=True)
    assert first.opens
    first.mark("match", "done")
    assert not first.opens


@pytest.mark.parametrize(
    "text", ["", "camera", "camera done\nnothing at all\n\n tray\n", "\ufffd\x00", "match done " * 9]
)
def test_a_damaged_file_is_no_error(tmp_path: Path, text: str) -> None:
    """What it says clearly counts, the rest is asked again."""
    (tmp_path / FILE_NAME).write_text(text, encoding="utf-8")
    assert FirstSteps(tmp_path / "a.db").step in STEPS
    (tmp_path / FILE_NAME).write_bytes(b"\xff\xfe camera done")
    assert FirstSteps(tmp_path / "a.db").step == "camera"


def test_a_card_that_is_full_only_forgets(tmp_path: Path) -> None:
    """The steps go on until the table is switched off."""
    first = FirstSteps(tmp_path / "gone" / "a.db")
    first.mark("camera", "done")
    assert first.step == "tray"
