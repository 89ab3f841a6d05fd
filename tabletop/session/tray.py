"""The dice in the tray, now and at each throw: their owners, and the hints about them.

Before a joint throw each player lays down one die to register its colour. Only the request tells a die that was laid
down from a throw of one die, so dice are laid down one at a time.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from tabletop.core import Rest, StoreError, Unsure, ports, say
from tabletop.dialogs import event_text, mistakes, setup_state
from tabletop.interpret import TableMemory, dice_state, hints, joint, log_views, unreadable
from tabletop.interpret.unreadable import EnteredFace, with_entered_faces
from tabletop.rules import Event, Match
from tabletop.session.journal import Journal
from tabletop.views.snapshot import MatchRecord


class DiceOwnership:
    """The colours of the players' dice, and how joint throws are read.

    colours: player -> colour. registers: whether players can register a die by laying it down. entered_by_hand: joint
    throws are entered with the buttons, because the colours do not identify the owners.
    """

    def __init__(self, colours: Mapping[str, str] | None = None, *, registers: bool = False) -> None:
        self.colours = dict(colours or {})
        self.registers, self.entered_by_hand = registers, False

    def restore(self, colours: Mapping[str, str], *, registers: bool, entered_by_hand: bool) -> None:
        """Restore an earlier state, such as that of a recording."""
        self.colours, self.registers, self.entered_by_hand = dict(colours), registers, entered_by_hand

    def player_to_register(self, match: Match) -> str:
        """Return the player who must lay down a die now, "" for none: all before a match, later those due to throw."""
        dice = match.request.dice
        if not self.registers or self.entered_by_hand or match.request.kind != "roll" or isinstance(dice, int):
            return ""
        return next((name for name in (dice if match.log else match.present) if name not in self.colours), "")

    def clashes(self, colour: str) -> bool:
        """Return whether a player already has a die of a colour too similar to this one."""
        return any(joint.near(colour, own) for own in self.colours.values())


LAID_S = 0.5  # a die that has lain this long was laid down, and several frames have shown its colour
LAY = say("lay one die")  # the request, beside the player's name
SKIP, RESTART = say("skip"), say("restart")  # labels of BANK and HOLD
ONE_AT_A_TIME = say("one die at a time, please")
SKIPPED = say("taking turns instead")
TOO_ALIKE = say("colours too similar: take turns")


class Notices:
    """The current hint and the newest notice.

    hint: what people should do or know about the dice in the tray; empty if there is none. news: (number of notices so
    far, the newest one), shown for a moment. The newest text is cleared once an event has happened, because the match
    then reports the result (`Match.said`). failure: why the newest events could not be stored; None if they were.
    """

    def __init__(self) -> None:
        self.hint = ""
        self.news = (0, "")
        self.failure: StoreError | None = None

    def show(self, text: str) -> None:
        """Show a notice; an empty text clears the current one."""
        self.news = (self.news[0] + 1, text)

    def clear(self) -> None:
        """Clear the newest notice, because an event has happened since."""
        self.news, self.failure = (self.news[0], ""), None

    def fail(self, failure: StoreError) -> None:
        """Report that events could not be stored, as a notice and as a hint."""
        self.hint, self.failure = str(failure), failure
        self.show(str(failure))


PATIENCE_S = 2.0  # dice left unread for longer get a hint
CALM_S = 0.4  # avoids a hint after each die while a player picks them up one by one
HINT_AFTER_S = 0.7  # while dice still arrive one by one, none is missing yet
MOST_ENTERED_FACES = 20  # remembered entered faces, the newest: no tray holds more dice

_Lying = tuple[tuple[int, str], ...]


@dataclass(frozen=True, slots=True)
class Observation:
    """A rest as the session judges it.

    rest: with entered faces, counted faces and owners filled in. hint: about dice that were only moved, or that were
    there before. hints_now: whether the dice have lain still long enough to show a hint about them. key: equal for
    rests with the same result.
    """

    rest: Rest
    hint: str
    hints_now: bool
    key: tuple[object, ...]


class ObservedTray:
    """The newest rest and the table's memory of the dice.

    rest: the dice in the tray now; None while something moves. held_back: the rest that has been delayed for long.
    memory: which dice count; see `TableMemory`. judged_key: the key of the observation that was judged last, None if
    the next must be judged in any case.
    """

    def __init__(self, memory: TableMemory) -> None:
        self.memory = memory
        self.rest: Rest | None = None
        self.held_back: Rest | None = None
        self.judged_key: tuple[object, ...] | None = None
        self._entered_faces: tuple[EnteredFace, ...] = ()
        self._rest_at_question: Rest | None = None  # kept while a hand covers the tray
        self._whole_s = float("-inf")  # when all counted dice were last seen in the tray
        self._still_since: tuple[_Lying, float] = ((), float("-inf"))

    def move(self) -> None:
        """Note that something moves in the tray or covers it."""
        self.rest = self.judged_key = None

    def observe(self, rest: Rest, match: Match, owners: DiceOwnership, *, waits: bool) -> Observation:
        """Handle a new rest. waits: whether hints are delayed until the dice have lain still for a while."""
        rest = dice_state.as_kept_before(rest, self.memory, None if match.request.kind == "keep" else match.kept)
        rest = joint.owned(with_entered_faces(rest, self._entered_faces), owners.colours, match.request)
        self.memory = dice_state.ignored_unwatched(rest, self.memory)
        throw = last_throw(match) if match.request.kind in ("keep", "choose") else ()
        self.memory = dice_state.counted_before(rest, self.memory, throw, match.kept)
        counted = dice_state.as_counted(rest, self.memory, self._whole_s)
        self.rest = self._rest_at_question = rest = counted.rest
        time_s = rest.reading.time_s
        self._whole_s = time_s if counted.whole else self._whole_s
        age_s = time_s - max(rest.arrived_s, default=float("-inf"))
        young = waits and age_s < HINT_AFTER_S
        sorting = match.request.kind == "keep" and not dice_state.new_dice(rest, self.memory)
        still_s = self._still_s(rest)
        calm = not (waits and sorting) or still_s >= CALM_S
        hint = counted.hint
        unread = not self.memory.paused and dice_state.unread_throw(match.request, rest, self.memory)
        if unread and still_s >= PATIENCE_S:
            hint = hint or hints.LAY_THERE
        key = (
            tuple((die.face, die.where) for die in rest.reading.dice),
            rest.arrived_s,
            rest.unsure_arrived_s,
            self.memory,
            len(match.log),
            (young, age_s < dice_state.CARRIED_S, calm),
            hint,
            (dice_state.gone_unread(rest, self.memory), len(dice_state.lain_unsure(rest, self.memory))),
        )
        return Observation(rest, hint, calm and not young, key)

    def _still_s(self, rest: Rest) -> float:
        """Return for how long the same faces have been in the same places, tray or rail, in seconds."""
        lying = tuple(sorted((die.face, die.where) for die in rest.reading.dice))
        if lying != self._still_since[0]:
            self._still_since = (lying, rest.reading.time_s)
        return rest.reading.time_s - self._still_since[1]

    def enter_face(self, unsure: Unsure, arrived_s: float, face: int) -> None:
        """Remember the face of an unreadable die, while it stays in place. face: 0 if it is not a die."""
        self._entered_faces = (*self._entered_faces[1 - MOST_ENTERED_FACES :], EnteredFace(unsure, arrived_s, face))

    def ignore_current_dice(self, now_s: float) -> None:
        """Ignore the dice in the tray now: they are not a throw unless BANK is pressed."""
        calm = replace(self.memory, walk=None, unconfirmed="", aside=None, held=None)
        self.memory = replace(calm, ignored_until_s=now_s, waiting=dice_state.NOTHING_WAITS)

    def end_question(self) -> None:
        """Forget the state that belongs to an answered question."""
        self._rest_at_question = None
        self.memory = replace(self.memory, walk=None, aside=None, held=None)

    def rest_for(self, match: Match) -> Rest | None:
        """Return the rest that a press refers to: at a keep, while something moves, the rest before it."""
        return (
            self._rest_at_question
            if self.rest is None and match.request.kind == "keep"
            else self.rest or self.held_back
        )

    def aside_for(self, match: Match) -> tuple[int, ...] | None:
        """Return the faces set aside at a keep; None before the sorting begins, or if nothing is being kept."""
        rest = self.rest_for(match)
        if rest is None or match.request.kind != "keep":
            return None
        return dice_state.intended_keep(rest, self.memory, match.request, last_throw(match))


def last_throw(match: Match) -> tuple[int, ...]:
    """Return the faces of the last throw; empty before the first, and for a joint throw."""
    return match.thrown if isinstance(match.thrown, tuple) else ()


Guesses = tuple[tuple[int, int], ...]  # (face, second guess) of dice, the least certain first
MOST_HAPPENED = 24  # events shown: more than fit on a terminal of forty rows


class ThrowHistory:
    """The throws since the session began; after a resume, earlier ones are unknown.

    rolled_on_by_throwing: whether the newest throw was itself the decision to roll on; True if unknown.
    """

    def __init__(self) -> None:
        self.rolled_on_by_throwing = True
        self._counted_before: dict[int, float | None] = {}
        self._guesses: dict[int, Guesses] = {}
        self._seen: dict[int, mistakes.SeenThrow] = {}
        self._record: MatchRecord | None = None
        self._happened: tuple[int, tuple[str, ...]] = (-1, ())  # the length of the log, and its newest events as text

    def add(self, events: Sequence[Event], first: int, counted_s: float | None) -> None:
        """Remember the throws among new events.

        first: the index of the first event in the log. counted_s: the time up to which dice were counted before these
        events.
        """
        throws = [index for index, event in enumerate(events, start=first) if event.kind == "throw"]
        self._counted_before |= dict.fromkeys(throws, counted_s)
        if throws:
            self.rolled_on_by_throwing = any(event.kind == "choose" for event in events)

    def add_seen(self, events: Sequence[Event], first: int, rest: Rest, since_s: float) -> None:
        """Remember the dice seen at the throws, and the second guesses for those that arrived after `since_s`."""
        thrown = [die for die, at_s in rest.dated_dice if at_s > since_s and die.second]
        guesses = tuple((die.face, die.second) for die in sorted(thrown, key=lambda die: die.confidence))
        for index, event in enumerate(events, start=first):
            if event.kind == "throw":
                self._guesses[index], self._seen[index] = guesses, (rest, since_s)

    def seen_throws(self, log: Sequence[Event]) -> dict[int, mistakes.SeenThrow]:
        """Return the dice seen at each throw that can still be corrected, by event number from 1."""
        standing = enumerate(log_views.places_standing(log), start=1)
        return {number: self._seen[index] for number, index in standing if index in self._seen}

    def counted_before(self, index: int) -> float | None:
        """Return the time up to which dice were counted before the throw at this log index; None if none were."""
        return self._counted_before.get(index)

    def record(self, match: Match, number: int) -> MatchRecord:
        """Return the whole match for views, the same object until something happens. number: of the match."""
        log = match.log
        if self._record is None or (self._record.number, self._record.entries) != (number, len(log)):
            facts = number, len(log), match.game.id, match.seated, match.options
            self._record = MatchRecord(*facts, log, match.events, dict(self._guesses))
        return self._record

    def happened(self, match: Match) -> tuple[str, ...]:
        """Return the newest events in force as texts, oldest first, without forced answers.

        Views ask many times a second: the texts are cached until something happens.
        """
        entries = len(match.log)
        if self._happened[0] != entries:
            given = (event for event in reversed(match.events) if not log_views.is_forced(event))
            texts = [event_text.entry_text(event) for event in islice(given, MOST_HAPPENED)]
            self._happened = entries, tuple(reversed(texts))
        return self._happened[1]


class DiceRegistration:
    """Asks each player for a die; gives up if the colours do not help or BANK is pressed.

    journal, owners, tray, notices: parts of the match session.
    """

    def __init__(self, journal: Journal, owners: DiceOwnership, tray: ObservedTray, notices: Notices) -> None:
        self._journal, self._owners, self._tray, self._notices = journal, owners, tray, notices

    def on_rest(self, name: str, rest: Rest) -> None:
        """Register the colour of the die that this player has laid down; dice already there do not count."""
        new, unsure = dice_state.new_dice(rest, self._tray.memory), dice_state.new_unsure(rest, self._tray.memory)
        self._notices.hint = unreadable.hint(unsure[0], rest) if unsure else ""
        if len(new) + len(unsure) > 1:
            self._notices.hint = ONE_AT_A_TIME
        if self._notices.hint or not new or rest.reading.time_s - max(rest.arrived_s) < LAID_S:
            return
        colour = new[0].colour
        if self._owners.clashes(colour):
            self._throw_in_turn(TOO_ALIKE, rest.reading.time_s)
            return
        try:
            self._journal.keep_colour(name, colour)
        except StoreError as error:
            self._notices.hint = str(error)
            return
        self._owners.colours[name] = colour
        self._tray.ignore_current_dice(rest.reading.time_s)
        self._notices.show(say("the {reason} die is {name}'s", reason=colour, name=name))

    def press(self, press: ports.Press, now_s: float) -> None:
        """Skip the registration on BANK; restart it on HOLD if no throw was made yet."""
        if press.button == "bank":
            self._throw_in_turn(SKIPPED, now_s)
        elif not self._journal.match.log:
            self._owners.colours.clear()
            self._tray.ignore_current_dice(now_s)

    def _throw_in_turn(self, why: str, now_s: float) -> None:
        """Let players throw one after the other instead of at once; during a match joint throws are entered by hand."""
        if self._journal.match.log:
            self._owners.entered_by_hand = True
        else:
            try:
                self._journal.change_options(**{setup_state.TOGETHER: False})
            except StoreError as error:
                self._notices.hint = str(error)
                return
        self._notices.hint = ""
        self._tray.ignore_current_dice(now_s)
        self._notices.show(why)
