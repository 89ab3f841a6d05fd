"""A match at a table, driven by words: `Table("pig").do("throw 4, BANK")`."""

from collections.abc import Callable, Mapping
from typing import Any

from table_play import Lying

from tabletop.core.ports import Press
from tabletop.core.values import Unit
from tabletop.rules import Match
from tabletop.session.match_session import MatchSession
from tabletop.session.snapshotting import snapshot


class Table:
    """A match at a table, driven by words. unit: "mm" where the tray has a rail."""

    def __init__(self, game: str, unit: Unit = "mm", **options: object) -> None:
        self.tray = Lying(unit=unit)
        self.taken = list[str]()
        match = Match(game, ["Ann", "Ben"], **options)
        self.session = MatchSession(match, listener=self._note)

    def _note(self, event: Mapping[str, Any]) -> None:
        value = event.get("faces", event.get("kept", event.get("choice")))
        words = " ".join(map(str, value)) if isinstance(value, list) else str(value)
        self.taken.append(f"{event['kind']} {words}".strip())

    def do(self, deeds: str) -> "Table":
        """Do what the words say, with commas between: HOLD, BANK, `throw 3 4`, `pick 2`, `aside 1 1`, `lies 3`, `hand`.

        A bare `pick` takes all dice out of the tray, but none off the rail; `hand` holds one over the tray; `lean` lets
        a die come to rest that `flat` takes away again; `undo` takes the newest entry back; `look` changes nothing.
        """
        for deed in deeds.split(", ") if deeds else ():
            word, *faces = deed.split()
            if deed == "pick all":  # those on the rail as well
                self.session.on_rest(self.tray.pick_up(), moving_hint=False)
                continue
            dice = [int(face) for face in faces]
            if word in ("HOLD", "BANK"):
                self.session.press(Press("hold" if word == "HOLD" else "bank"), self.tray.now_s)
                if self.session.tray.rest is not None:
                    self.session.on_rest(self.tray.rest(), moving_hint=False)
                continue
            acts: dict[str, Callable[..., object]] = {
                "throw": self.tray.throw,
                "pick": self.pick,
                "aside": self.tray.to_rail,
                "back": self.back,
                "lies": self.tray.there_before,
                "hand": lambda: None,
                "look": self.tray.rest,
                "lean": self.tray.lean,
                "flat": self.tray.doubts.clear,
                "undo": lambda: self.session.undo(1, self.tray.now_s),
            }
            self.session.on_rest(acts[word](*dice), moving_hint=False)  # type: ignore[arg-type]  # what Lying returns
        return self

    def pick(self, *faces: int) -> object:
        """Take these dice out of the tray, or all that are not on the rail."""
        return self.tray.pick_up(*(faces or [face for face, where, _ in self.tray.dice if where == "tray"]))

    def back(self, *faces: int) -> object:
        self.tray.now_s += 1.0
        for face in faces:
            at = self.tray.dice.index(next(die for die in self.tray.dice if die[:2] == (face, "rail")))
            self.tray.dice[at] = (face, "tray", self.tray.now_s - 0.5)
        return self.tray.rest()

    @property
    def hint(self) -> str:
        """What people read, for a moment or as long as it is so."""
        return self.session.notices.hint or self.session.notices.news[1]

    @property
    def shown(self) -> tuple[str, str, str]:
        now = snapshot(self.session, None)
        return now.offer, now.hold, now.bank
