"""A match: one game, its players and options, the events so far, and the resulting position."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from operator import index
from typing import Any

from tabletop.core import InputError, RefusedError, ReplayError, join
from tabletop.rules import catalog, coroutine, game, names
from tabletop.rules.events import COUNTED, Correction, Event, request_json
from tabletop.rules.history import History, LogView, corrected_standing, followed, index_of, misread
from tabletop.rules.requests import Answer, Choose, Faces, Keep, Request, Throw, checked_answer
from tabletop.rules.table import Cell

LEFT_ROW, AWAY = "has left", "yes"  # not `left`, which is also a side of the table
Given = Sequence[int] | Mapping[str, Sequence[int]]


class Match:
    """One match. `draft...` only checks; `apply` applies drafted events (which may be stored in between).

    game_id: an id, or any name of a game or of a preset. game: the game's declaration. seated: the players it began
    with, in seat order. options: a value for each of the game's options, and `called` if it was begun under another
    name than the game's own. Raises InputError for an unknown game, wrong players or wrong options.
    """

    def __init__(self, game_id: str, players: Sequence[str], /, **options: object) -> None:
        found = catalog.named(game_id)
        self.game, self._play = found.game, found.play
        by_rules_first = sorted({**found.settings, **options}.items(), key=lambda setting: setting[0] != "rules")
        self.options = self.game.settled(by_rules_first)
        self.seated = names.checked_players(players, self.game.fewest_players(self.options), self.game.max_players)
        self._history = History()
        self._run = self._fresh_run()
        self._ahead = coroutine.AheadRun(self._fresh_run)

    @classmethod
    def replay(
        cls, game_id: str, players: Sequence[str], options: Mapping[str, object], events: Iterable[Event]
    ) -> "Match":
        """Replay a log (or the events in force) and return the match.

        Raises ReplayError if a stored event no longer answers the question it was stored with; its `match` is the match
        up to there.
        """
        match = cls(game_id, players, **options)
        history = match._history
        try:
            for event in events:
                history.add(event)
        except ReplayError as error:
            readable = match._rebuilt()
            raise ReplayError(f"entry {len(history.log) + 1} of the log: {error}", readable) from error
        return match._rebuilt()

    # The position, as players and views need it

    @property
    def players(self) -> tuple[str, ...]:
        """All names in seat order, later joiners last, including players who have left."""
        return tuple(self._run.table.names)

    @property
    def title(self) -> str:
        """The name of the game as the players know it: the one the match was begun under."""
        return str(self.options.get(game.CALLED, self.game.name))

    @property
    def present(self) -> tuple[str, ...]:
        """The names of the players who have not left."""
        return tuple(self._run.table.names[seat] for seat in self._run.table.seats())

    @property
    def request(self) -> Request:
        """The current question."""
        return self._run.request

    @property
    def scores(self) -> dict[str, int]:
        """The current scores, which decide the winner."""
        return dict(zip(self.players, self._run.table.scores, strict=True))

    @property
    def at_stake(self) -> int:
        """The points of the current turn that are not safe yet."""
        return self._run.table.at_stake

    @property
    def thrown(self) -> Faces | Mapping[str, Faces]:
        """The last throw."""
        return self._run.table.thrown

    @property
    def kept(self) -> Faces:
        """The dice set aside in this turn."""
        return self._run.table.kept

    @property
    def kept_before(self) -> Faces:
        """The dice that had been set aside in this turn when the last throw was made."""
        return self._run.table.kept_before

    @property
    def sheet(self) -> dict[str, dict[str, Cell]]:
        """The rows of the score sheet, each with a cell for each player, None if it is empty.

        The row `has left` is added by the referee: the last one, present only while somebody has left.
        """
        table = self._run.table
        away: dict[int, Cell] = dict.fromkeys(table.gone, AWAY)
        rows = table.sheet | ({LEFT_ROW: away} if away else {})
        return {label: {name: row.get(seat) for seat, name in enumerate(table.names)} for label, row in rows.items()}

    @property
    def shared_rows(self) -> frozenset[str]:
        """The rows of the sheet with one value for the whole table, such as a pot."""
        return self._run.table.shared_rows

    @property
    def said(self) -> str:
        """The effect of the last answer as a short text; may be empty."""
        return join("; ", self._run.table.said)

    @property
    def over(self) -> bool:
        """Whether the match has ended."""
        return self._run.result is not None

    @property
    def abandoned(self) -> bool:
        """Whether the match has ended without a winner: everybody left, or it was given up."""
        return self._run.abandoned

    @property
    def winners(self) -> tuple[str, ...]:
        """The winners; empty until the end, and after an abandoned match."""
        return tuple(self.players[seat] for seat in self._run.result.winners) if self._run.result else ()

    @property
    def why(self) -> str:
        """Why the match ended; empty until then."""
        return self._run.result.why if self._run.result else ""

    @property
    def log(self) -> tuple[Event, ...]:
        """Every entry, including undo and correct."""
        return tuple(self._history.log)

    @property
    def events(self) -> tuple[Event, ...]:
        """The events in force: throws, keeps, choices, leaves and joins."""
        return tuple(view.event for view in self._history.standing)

    @property
    def event(self) -> int:
        """The number of throws, keeps and choices in force."""
        return self._history.count

    @property
    def asked_at(self) -> tuple[tuple[str, int], ...]:
        """Where the game's code asked the question: file and line, `play` first; empty at the end."""
        return tuple(self._run.asked_at())

    def state(self) -> dict[str, Any]:
        """Return the JSON object that `tabletop referee` prints: every key always present, plain values."""
        thrown = self.thrown
        faces = {name: list(own) for name, own in thrown.items()} if isinstance(thrown, Mapping) else list(thrown)
        return {
            "event": self.event,
            "request": request_json(self.request),
            "thrown": faces,
            "kept": list(self.kept),
            "scores": self.scores,
            "at_stake": self.at_stake,
            "sheet": self.sheet,
            "said": self.said,
            "winners": list(self.winners),
            "why": self.why,
        }

    # Drafts: only check

    def draft(self, *answers: Answer) -> tuple[Event, ...]:
        """Return the events for these answers, given in order; raises RefusedError if one is not legal."""
        request = self._run.request if len(answers) <= 1 else self._ahead.follow(self._history.standing)
        events = []
        for number, answer in enumerate(answers, start=1):
            events.append(Event.of(checked_answer(request, answer), request))
            if number < len(answers):
                request = self._ahead.attempt(answer)
        return tuple(events)

    def foresee(self, *answers: Answer) -> Request:
        """Return the request that would follow these answers; raises RefusedError if one is not legal."""
        request = self._ahead.follow(self._history.standing)
        for answer in answers:
            request = self._ahead.attempt(answer)
        return request

    def draft_undo(self) -> tuple[Event, ...]:
        """Undo the newest entry in force, which may be a correction, a leave or a join."""
        if not self._history.can_undo:
            raise RefusedError("expected an event to undo, got none: nothing has happened yet")
        return (Event("undo"),)

    def draft_correct(self, number: int, answer: Answer) -> tuple[Event, ...]:
        """Correct event `number` to this answer; later events that no longer fit are dropped, as the event records."""
        standing = self._history.standing
        at = index_of(standing, number)
        request = standing[at].event.request if at is not None else None
        if at is None or request is None:
            among = f"from 1 (the first) to {self.event}" if self.event else "to correct (nothing has happened yet)"
            raise RefusedError(f"expected an event {among}, got {number}")
        right = checked_answer(request, answer)
        correction = self._followed_up(Correction(number, right), at)
        return (Event("correct", request.player, correction),)

    def draft_leave(self, name: str) -> tuple[Event, ...]:
        """Remove a player, who is skipped and cannot win. If the last player leaves, there is no winner."""
        self._refuse_if_over(f"leave {name}")
        if name not in self.present:
            raise RefusedError(f"expected the name of a player at the table ({', '.join(self.present)}), got {name!r}")
        return (Event("leave", name),)

    def draft_abandon(self) -> tuple[Event, ...]:
        """End the match without a winner."""
        self._refuse_if_over("abandon")
        return (Event("abandon"),)

    def draft_join(self, name: str) -> tuple[Event, ...]:
        """Readmit a player, or add a new one in the last seat if the game allows it."""
        self._refuse_if_over(f"join {name}")
        if name in self.present:
            raise RefusedError(f"expected somebody who is not at the table, got {name!r}")
        if name not in self.players:
            self._check_newcomer(name)
        return (Event("join", name),)

    def _refuse_if_over(self, got: str) -> None:
        if self.over:
            raise RefusedError(f"expected nothing more, the match is over, got {got}")

    def _check_newcomer(self, name: str) -> None:
        if not self.game.joining:
            back = [player for player in self.players if player not in self.present]
            raise RefusedError(
                f"expected {' or '.join(back) or 'nobody'} to come back, got {name!r}: {self.game.name} takes no new "
                "players once it has begun"
            )
        if len(self.players) >= self.game.max_players:
            raise RefusedError(f"expected at most {self.game.max_players} players, got {name!r} as one more")
        try:
            names.checked_name(name)
        except InputError as error:
            raise RefusedError(str(error)) from error

    # Applying events

    def apply(self, *events: Event) -> None:
        """Apply drafted events. Raises ReplayError if one does not fit: the match then ends before that one."""
        for event in events:
            if isinstance(event.value, Correction):
                self._replayed(corrected_standing(self._history.standing, event.value))  # it fits, or nothing changes
            elif event.kind != "undo":
                self._run.obey(event, exact=True)
            if self._history.add(event):
                self._rebuilt()

    def throw(self, faces: Given) -> None:
        """Throw these faces; in a joint throw, faces for each name."""
        self.apply(*self.draft(_throw(faces)))

    def keep(self, faces: Sequence[int]) -> None:
        """Set these dice aside; empty keeps none."""
        self.apply(*self.draft(Keep(_faces(faces))))

    def choose(self, option: str) -> None:
        """Choose this option."""
        self.apply(*self.draft(Choose(option)))

    def undo(self) -> None:
        """Undo the newest entry in force."""
        self.apply(*self.draft_undo())

    def correct(self, number: int, answer: Answer | Given | str) -> tuple[int, ...]:
        """Correct event `number` (from 1); return the numbers of the later events that were dropped.

        A string is an option; plain faces are a throw or a keep, like the event.
        """
        if not isinstance(answer, Throw | Keep | Choose):
            answer = self._answer_like(number, answer)
        events = self.draft_correct(number, answer)
        self.apply(*events)
        corrections = (event.value for event in events if isinstance(event.value, Correction))
        return tuple(number for correction in corrections for number in correction.dropped)

    def leave(self, name: str) -> None:
        """Remove a player."""
        self.apply(*self.draft_leave(name))

    def abandon(self) -> None:
        """End the match without a winner."""
        self.apply(*self.draft_abandon())

    def join(self, name: str) -> None:
        """Readmit or add a player."""
        self.apply(*self.draft_join(name))

    def _answer_like(self, number: int, given: Given | str) -> Answer:
        if isinstance(given, str):
            return Choose(given)
        at = index_of(self._history.standing, number)
        if at is not None and self._history.standing[at].event.kind == "keep" and not isinstance(given, Mapping):
            return Keep(_faces(given))
        return _throw(given)

    # Runs

    def _fresh_run(self) -> coroutine.Run:
        return coroutine.Run(self.game, self._play, self.seated, self.options)

    def _replayed(self, standing: Iterable[LogView]) -> coroutine.Run:
        run = self._fresh_run()
        for view in standing:
            run.obey(view.event, exact=view.exact)
        return run

    def _followed_up(self, correction: Correction, at: int) -> Correction:
        """Return a correction with what it does to the later events: which keeps it changes, which numbers it drops.

        at: the index of the corrected event among those that stand. The first that no longer fits is dropped,
        with all after it.
        """
        standing = self._history.standing
        wrong = misread(standing[at].event, correction.answer)
        run, number, carried = self._fresh_run(), 0, []
        for place, one in enumerate(corrected_standing(standing, correction)):
            event = one.event
            if place > at and event.kind == "keep" and isinstance(event.value, tuple) and wrong.get(event.player):
                part, wrong[event.player] = followed(event.value, wrong[event.player], run.request)
                if part != event.value:
                    event = replace(event, value=part)
                    carried.append((number + 1, part))
            try:
                run.obey(event, exact=False)
            except ReplayError:
                break
            number += event.kind in COUNTED
        dropped = tuple(range(number + 1, self.event + 1))
        return replace(correction, dropped=dropped, carried=tuple(carried))

    def _rebuilt(self) -> "Match":
        """Run all that stands from the start; on a mismatch raise ReplayError with the match up to there."""
        run = self._fresh_run()
        standing = self._history.standing
        for place, view in enumerate(standing):
            try:
                standing[place] = LogView(run.obey(view.event, exact=view.exact), view.exact)
            except ReplayError as error:
                readable = Match(self.game.id, self.seated, **self.options)
                readable.apply(*(fit.event for fit in standing[:place]))
                raise ReplayError(f"event {place + 1} of {self.game.name}: {error}", readable) from error
        self._run = run
        return self


def _throw(faces: Given) -> Throw:
    if isinstance(faces, Mapping):
        return Throw({name: _faces(own) for name, own in faces.items()})
    return Throw(_faces(faces))


def _faces(given: Sequence[int]) -> Faces:
    """Accept any sequence of whole numbers, NumPy's too."""
    try:
        return tuple(map(index, given))
    except TypeError:
        raise RefusedError(f"expected a sequence of faces from 1 to 6, got {given!r}") from None
