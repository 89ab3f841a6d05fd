"""A match being played: rests and presses come in, events go to the store and are then obeyed."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Protocol

from tabletop.dice import Rest, Unsure
from tabletop.errors import RefusedError, StoreError
from tabletop.interpret import Attention, Offer, Outcome, obvious, offer, on_press, on_rest
from tabletop.interpret.doubts import FaceTold, as_told, doubt
from tabletop.interpret.hands import aside
from tabletop.ports import Press
from tabletop.rules import Answer, Event, Match, Throw

HINT_AFTER_S = 0.7  # dice that come one after the other are no missing dice yet
MOST_TOLD = 20  # faces that people told, of which the newest are remembered: more dice lie in no tray at once
MANY_ANSWERS = 100  # more obvious answers in a row than this would be a game that asks nobody
UNDO = "undo"

Told = Callable[[Mapping[str, Any]], None]
"""Takes each event when it is on disk and obeyed: {"n", "time", "kind", "player", ...}."""


class Ledger(Protocol):
    """Where events go; `tabletop.store.Store` is one."""

    def append(self, match: int, first: int, events: list[tuple[str, Mapping[str, Any]]]) -> None:
        """Put (time, body) pairs on disk, all or none; raises StoreError."""

    def end(self, match: int, ending: Any) -> None:  # noqa: ANN401 - the store's own words for an ending
        """Note how the match ended."""


class Running:
    """One match at the table.

    match: as it stands. ledger, number: where its events are kept. time: returns the time to note, ISO 8601 in UTC.
    told: called for each event once it is on disk. by_hand: throws are told with the buttons: nobody watches the tray.
    """

    def __init__(self, match: Match, ledger: Ledger, number: int, time: Callable[[], str], told: Told) -> None:
        self.match, self.number = match, number
        self.attention = Attention(laid=match.kept)
        self.rest: Rest | None = None
        self.hint = ""
        self.by_hand = False
        self._ledger, self._time, self._told = ledger, time, told
        self._told_faces: tuple[FaceTold, ...] = ()
        self._judged: tuple[object, ...] | None = None
        self._offered: tuple[tuple[object, ...], Offer | None] | None = None
        self._answer_obvious()

    def see(self, rest: Rest | None, *, moving_hint: bool = True) -> None:
        """Take in what lies in the tray now, None while something moves. moving_hint: wait before hinting."""
        self.rest = rest = as_told(rest, self._told_faces) if rest else None
        if rest is None:
            self._judged = None
            return
        young = moving_hint and rest.arrived_s and rest.reading.time_s - max(rest.arrived_s) < HINT_AFTER_S
        key = (
            tuple((die.face, die.where) for die in rest.reading.dice),
            rest.arrived_s,
            rest.unsure_arrived_s,
            self.attention,
            len(self.match.log),
            bool(young),
        )
        if key == self._judged:
            return
        self._judged = key
        outcome = on_rest(self.match.request, self.attention, rest, self.thrown, self._allowed)
        if outcome.answers:
            self._take(outcome)
        else:
            self.hint = "" if young else outcome.hint

    def press(self, press: Press, now_s: float) -> None:
        """Obey a press; long HOLD is the menu's and does nothing here. now_s: on the clock of the frames."""
        if press.long:
            if press.button == "bank":
                self._undo(now_s)
            return
        was_paused = self.attention.paused
        outcome = on_press(
            self.match.request, self.attention, press, self.rest, self.thrown, self._allowed, by_hand=self.by_hand
        )
        if outcome.answers:
            self._take(outcome)
            return
        self.attention, self.hint = outcome.attention, outcome.hint
        if was_paused and not self.attention.paused:
            self.look_again(now_s)

    def look_again(self, now_s: float) -> None:
        """Take nothing that lies in the tray now for a throw, unless BANK says so."""
        self.attention = replace(self.attention, spent_s=now_s, walk=0, again="")

    def give(self, *answers: Answer) -> None:
        """Give answers that came from elsewhere than the tray; RefusedError where they are not legal."""
        self._store(self.match.draft(*answers))
        self._answer_obvious()

    def tell_throw(self, throw: Throw) -> None:
        """Take a throw that people told with the buttons; where the store cannot take it, the hint says so."""
        if self._stored(self.match.draft(throw)):
            self.attention, self.hint = Attention(laid=self.match.kept), ""
            self._answer_obvious()

    @property
    def doubt(self) -> tuple[Unsure, float] | None:
        """What the game waits for and cannot be read, with the time at which it came; None where nothing is."""
        return doubt(self.match.request, self.attention, self.rest)

    def tell_face(self, one: Unsure, arrived_s: float, face: int) -> None:
        """Take people's word for what cannot be read, for as long as it lies there. face: 0 where it is no die."""
        self._told_faces = (*self._told_faces[1 - MOST_TOLD :], FaceTold(one, arrived_s, face))
        self.see(self.rest, moving_hint=False)

    @property
    def thrown(self) -> tuple[int, ...]:
        """The throw last taken; empty before the first and for a joint throw."""
        return self.match.thrown if isinstance(self.match.thrown, tuple) else ()

    @property
    def offer(self) -> Offer | None:
        """What BANK takes now."""
        key = (len(self.match.log), self.attention.walk, self.seen_aside)
        if self._offered is None or self._offered[0] != key:  # views ask many times a second
            self._offered = (key, self._offer_now())
        return self._offered[1]

    def _offer_now(self) -> Offer | None:
        return offer(self.match.request, self.attention, self.seen_aside, self._allowed, by_hand=self.by_hand)

    @property
    def seen_aside(self) -> tuple[int, ...] | None:
        """The faces that lie aside at a keep, None where nobody has begun to sort."""
        if self.rest is None or self.match.request.kind != "keep":
            return None
        return aside(self.rest, self.attention, self.match.request, self.thrown)

    def _allowed(self, answers: tuple[Answer, ...]) -> bool:
        try:
            self.match.draft(*answers)
        except RefusedError:
            return False
        return True

    def _take(self, outcome: Outcome) -> None:
        """Store and obey answers. Where the store cannot take them nothing happened: the same rest comes again."""
        try:
            events = self.match.draft(*outcome.answers)
        except RefusedError as error:  # cannot be: what `interpret` proposes was tried; people are told all the same
            self.hint = str(error)
            return
        if self._stored(events):
            self.attention = replace(outcome.attention, walk=0, again="")
            self.hint, self._judged = "", None
            self._answer_obvious()

    def _stored(self, events: tuple[Event, ...]) -> bool:
        try:
            self._store(events)
        except StoreError as error:
            self.hint, self._judged = str(error), None
            return False
        return True

    def _store(self, events: tuple[Event, ...]) -> None:
        first, time = len(self.match.log) + 1, self._time()
        was_over = self.match.over
        self._ledger.append(self.number, first, [(time, event.to_json()) for event in events])
        self.match.apply(*events)
        if self.match.over != was_over:
            self._ledger.end(self.number, "over" if self.match.over else None)
        for n, event in enumerate(events, start=first):
            told = {key: value for key, value in event.to_json().items() if key != "request"}
            self._told({"n": n, "time": time, **told})

    def _answer_obvious(self) -> None:
        for _ in range(MANY_ANSWERS):
            answers = obvious(self.match.request)
            if not answers or not self._stored(self.match.draft(*answers)):
                return

    def _undo(self, now_s: float) -> None:
        if not self.match.events:
            self.hint = "nothing to undo"
            return
        last = self.match.events[-1]
        another_turn = self.match.over or last.player != self.match.request.player
        if another_turn and self.attention.again != UNDO:
            self.attention = replace(self.attention, again=UNDO)
            self.hint = f"undo {last.player or 'the last'} {last.kind}? long BANK again"
            return
        if self._stored(self.match.draft_undo()):
            while self.match.events and obvious(self.match.request) and self._stored(self.match.draft_undo()):
                pass  # a question that answers itself would be answered again at once
            self.attention = Attention(spent_s=now_s, laid=self.match.kept)
            self.hint = "undone: throw again, or BANK takes what lies there"
