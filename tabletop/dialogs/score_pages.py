"""The scores of a match in the menu, and each player's column of the sheet: HOLD turns, BANK looks and comes back."""

from dataclasses import dataclass, replace

from tabletop.core.message import join, say
from tabletop.core.ports import Press
from tabletop.dialogs.decisions import Decision, Dialog
from tabletop.rules import Match
from tabletop.views.snapshot import MenuView, Snapshot

EMPTY_CELL = "-"


@dataclass(frozen=True, slots=True)
class ScorePages:
    """Everybody's score, or one player's sheet.

    behind: what long BANK leads back to. seat: whose score HOLD has stepped to. row: the row of the sheet, None if
    the scores are shown.
    """

    match: Match
    behind: Dialog
    seat: int = 0
    row: int | None = None

    def step_to(self, at: int) -> "ScorePages":
        """Return it with this line stepped to, from 0."""
        return replace(self, seat=at) if self.row is None else replace(self, row=at)

    def press(self, press: Press) -> Dialog | Decision:
        """Return what is shown after this press."""
        if press.button == "hold":
            if self.row is None:
                return replace(self, seat=(self.seat + 1) % len(self.match.players))
            return replace(self, row=(self.row + 1) % len(self.match.sheet))
        if press.repeat:
            return self
        if self.row is not None:
            return replace(self, row=None)
        if press.long:
            return self.behind
        return replace(self, row=0) if self.match.sheet else self

    @property
    def snapshot(self) -> Snapshot:
        """What views draw of it."""
        name = self.match.players[self.seat]
        score = say("{name}: {n}", name=name, n=self.match.scores[name])
        if self.row is not None:
            rows = tuple(join(": ", (label, _cell(cells[name]))) for label, cells in self.match.sheet.items())
            return Snapshot(hold=say("next"), bank=say("back"), menu=MenuView(score, rows, self.row, sheet=True))
        everybody = frozenset(range(len(self.match.players)))
        scores = tuple(f"{player}: {points}" for player, points in self.match.scores.items())
        return Snapshot(
            hold=say("next"),
            bank=say("sheet") if self.match.sheet else "",
            menu=MenuView(say("Scores"), scores, self.seat, given=everybody),
        )


def _cell(value: object) -> str:
    return EMPTY_CELL if value is None else str(value)
