"""The first steps of a new table, and which of them people did or put off: a file beside the store."""

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Literal

STEPS = ("camera", "tray", "dice", "match")
FILE_NAME = "first-steps"
How = Literal["done", "skipped", "open"]


class FirstSteps:
    """The steps of one table, the same for all phones; those put off can be done later.

    store: the path of the store. is_new: it has no match yet. sees: whether there is a camera; else only the last step
    can be done. learns: whether tray and dice can be shown to the table. trouble: returns why the camera sees nothing,
    mostly empty. offers: whether they open automatically on a new table. welcomed: the welcome was answered.
    """

    def __init__(
        self,
        store: Path,
        *,
        is_new: bool = False,
        sees: bool = True,
        learns: bool = True,
        offers: bool = False,
        trouble: Callable[[], str] = lambda: "",
    ) -> None:
        self.is_new, self.sees, self.learns, self.trouble = is_new, sees, learns, trouble
        self.welcomed = False
        self._file, self._offers = store.with_name(FILE_NAME), offers
        self.marks = dict(self._read())

    @property
    def step(self) -> str:
        """The first step that is open, the last one after all."""
        return next((step for step in STEPS if step not in self.marks), STEPS[-1])

    @property
    def opens(self) -> bool:
        """Whether a phone that comes in shows the steps at once."""
        return self._offers and self.is_new and STEPS[-1] not in self.marks

    def end_welcome(self) -> None:
        """Show the welcome no more until the next start."""
        self.welcomed = True

    def mark(self, step: str, how: How) -> None:
        """Note that a step was done or skipped, or is open now; without a camera the first one stands for three."""
        alone = self.sees or step != "camera" or how == "open"
        together = (step,) if alone else STEPS[:-1]
        for each in together:
            self.marks[each] = how
        if how == "open":
            self.marks.pop(step)
            self.marks |= {each: "skipped" for each in STEPS[: STEPS.index(step)] if each not in self.marks}
        with suppress(OSError):  # if nothing can be written, the next start asks again
            self._file.write_text("".join(f"{each} {mark}\n" for each, mark in self.marks.items()), encoding="utf-8")

    def _read(self) -> list[tuple[str, str]]:
        with suppress(OSError, UnicodeDecodeError):
            lines = [line.split() for line in self._file.read_text(encoding="utf-8").splitlines()]
            return [(line[0], line[1]) for line in lines if line[:1] and line[0] in STEPS and line[1:] != []]
        return []
