"""Which chip the display has: two pictures to compare, for people who cannot read what it shows. Pure."""

from dataclasses import dataclass, replace

from tabletop.core.message import say
from tabletop.core.ports import Press
from tabletop.dialogs.decisions import Decision, Dialog, UseChip
from tabletop.views.snapshot import ChipPattern, MenuView, Snapshot


@dataclass(frozen=True, slots=True)
class DisplayTest:
    """A test picture, drawn as each chip in turn wants it: HOLD shows the next one, BANK keeps the one shown.

    Only the right chip shows it clean, so it is answered without being read. chips: at least two, the one that was
    used before first; a long BANK keeps that.
    """

    chips: tuple[str, ...]
    at: int = 0

    def step_to(self, at: int) -> "DisplayTest":
        """Return it with this line stepped to, from 0."""
        return replace(self, at=at)

    def press(self, press: Press) -> Dialog | Decision:
        """Return the test after this press, or the chip that was decided on."""
        if press.button == "hold":
            return self if press.repeat else replace(self, at=(self.at + 1) % len(self.chips))
        if press.repeat:
            return self
        return UseChip(self.chips[0 if press.long else self.at])

    @property
    def snapshot(self) -> Snapshot:
        """What views draw of it: a picture on a display, a list anywhere else."""
        items = tuple(say("picture {n}", n=number) for number in range(1, len(self.chips) + 1))
        menu = MenuView(say("frame all round?"), items, self.at, say("only one of the two has a whole frame"))
        pattern = ChipPattern(self.chips[self.at], self.at + 1)
        return Snapshot(hold=say("other"), bank=say("clean"), menu=menu, pattern=pattern)
