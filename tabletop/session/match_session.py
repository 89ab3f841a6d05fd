"""A match in progress: takes rests and presses, stores the answers, then applies them."""

from collections.abc import Callable, Mapping
from dataclasses import replace

from tabletop.core import RefusedError, StoreError, ports, say
from tabletop.core.values import Moment, Rest, Unsure
from tabletop.dialogs import event_text, mistakes
from tabletop.interpret import Outcome, choices, dice_state, hints, log_views, obvious, offers, on_press, on_rest
from tabletop.interpret.unreadable import doubt
from tabletop.perception.settler import HeldBack
from tabletop.rules import Answer, Choose, Event, Keep, Match, Request, Throw, requests
from tabletop.session import journal, tray
from tabletop.store import Store

STOPPING = tuple(map(Choose, (offers.ROLL_ON, *offers.STOPS)))  # answers to "roll or stop?"
KNOWN = 64  # cached parts of a hand: more than a keep offers


class Offers:
    """The offers of one match session; never changes the match.

    The requests after a keep are cached: computing one may replay the whole match, and views ask many times a second.
    """

    def __init__(self) -> None:
        self._at = -1
        self._after: dict[tuple[Answer, ...], Request] = {}
        self._cached: tuple[tuple[object, ...], offers.Offer | None] = ((), None)

    def current(
        self, match: Match, memory: dice_state.TableMemory, aside: choices.Faces | None, *, by_hand: bool
    ) -> offers.Offer | None:
        """Return what BANK would take now, None if nothing. aside: the faces set aside at a keep."""
        key = (len(match.log), memory, aside, by_hand)
        if self._cached[0] != key:
            taken = offers.offer(
                match.request, memory, aside, lambda answers: self.allows(match, answers), by_hand=by_hand
            )
            self._cached = key, self._with_points(match, taken)
        return self._cached[1]

    def allows(self, match: Match, answers: tuple[Answer, ...]) -> bool:
        """Return whether these answers, given in order, are legal now."""
        try:
            if len(answers) == len(("keep", "stop")) and isinstance(answers[0], Keep):
                if not match.request.may_stop and answers[1] in STOPPING:
                    return False
                requests.checked_answer(self._request_after(match, answers[0]), answers[1])
            else:
                match.draft(*answers)
        except RefusedError:
            return False
        return True

    def _with_points(self, match: Match, taken: offers.Offer | None) -> offers.Offer | None:
        """Return the offer; if it keeps dice and stops, or stopping is possible then, its label says what it gives."""
        if not match.request.may_stop:
            return taken
        match taken:
            case offers.Offer(answers=(Keep() as keep, Choose(stop))):
                points = self._request_after(match, keep).gives.get(stop)
                return taken if points is None else replace(taken, label=choices.keep_label(keep, stop, points))
            case offers.Offer(answers=(Keep() as keep,)):
                after = self._request_after(match, keep)
                points = after.gives.get(offers.stop_option(after) or "")
                return taken if points is None else replace(taken, label=choices.keep_label(keep, "", points))
            case _:
                return taken

    def bank(self, match: Match, keep: Keep) -> tuple[str, int] | None:
        """Return how the turn could end after this keep, and the points gained; None if it cannot."""
        after = self._request_after(match, keep)
        stop = offers.stop_option(after) or ""
        return (stop, after.gives[stop]) if stop in after.gives else None

    def after_keeping_all(self, match: Match, hand: tuple[int, ...]) -> Request | None:
        """Return the request after keeping all dice of the hand, None if that is not legal. hand: sorted."""
        return self._request_after(match, Keep(hand)) if hand in match.request.legal else None

    def dice_again(self, match: Match, hand: tuple[int, ...]) -> int:
        """Return how many dice may be thrown after keeping the whole hand, 0 if the turn ends."""
        after = self.after_keeping_all(match, hand) if match.request.may_stop else None
        if after is None:
            return 0
        if stops := offers.stop_option(after):
            after = self._request_after(match, Keep(hand), Choose(offers.ROLL_ON))
        goes_on = after.player == match.request.player and (stops or len(match.players) > 1)  # else their next turn
        return after.dice if goes_on and after.kind == "roll" and isinstance(after.dice, int) else 0

    def _request_after(self, match: Match, *answers: Answer) -> Request:
        if self._at != len(match.log) or len(self._after) >= KNOWN:
            self._at, self._after = len(match.log), {}
        if answers not in self._after:
            self._after[answers] = match.foresee(*answers)
        return self._after[answers]


ThrowListener = Callable[[int, int, Event, Rest], None]
"""Called for each throw that the camera read, once it is stored: match, number in its log from 1, event, dice."""

MANY_ANSWERS = 100  # a game with more forced answers in a row never asks anybody
HANDS = ("held", "maybe held")  # reasons why dice do not count as lying still
CORRECTED = say("corrected")
UNDONE, UNDONE_THROW = say("undone"), say("undone: throw again, or BANK takes these dice")


class MatchSession:
    """One match at the table; this class connects its parts.

    journal: the match and its events. owners: which die belongs to whom. tray: the observed dice. history: the throws
    in the log. notices: messages for the players. offers: what BANK can take. by_hand: every throw is entered with the
    buttons, because there is no camera. threw: must return at once.
    """

    def __init__(
        self,
        match: Match,
        store: Store | None = None,
        number: int = 1,
        time: Callable[[], Moment] = lambda: Moment(""),
        listener: journal.EventListener = lambda _: None,
        *,
        colours: Mapping[str, str] | None = None,
        registers: bool = False,
        memory: dice_state.TableMemory | None = None,
    ) -> None:
        """Take up a match, new or resumed, and give the answers that need nobody.

        store, number, time, listener: as in `Journal`. colours, registers: as in `DiceOwnership`. memory: what the
        table remembered when the match stood like this; None: nothing.
        """
        self.journal = journal.Journal(match, store, number, time, listener)
        self.owners = tray.DiceOwnership(colours, registers=registers)
        self.tray = tray.ObservedTray(memory or dice_state.TableMemory(kept_faces=match.kept))
        self.history, self.notices, self.offers = tray.ThrowHistory(), tray.Notices(), Offers()
        self._registration = tray.DiceRegistration(self.journal, self.owners, self.tray, self.notices)
        self.by_hand = False
        self.threw: ThrowListener = lambda *_: None
        self._answer_obvious()

    @property
    def match(self) -> Match:
        """The match in its current state."""
        return self.journal.match

    # Rests and presses

    def on_rest(self, rest: Rest | None, *, moving_hint: bool = True) -> None:
        """Handle a rest, None while something moves. moving_hint: delay hints until the dice have lain still."""
        if rest is None:
            self.tray.move()
            return
        seen = self.tray.observe(rest, self.match, self.owners, waits=moving_hint)
        if seen.key == self.tray.judged_key:
            return
        if self.player_to_register:
            self._registration.on_rest(self.player_to_register, seen.rest)
            self._answer_obvious()
            return
        self.tray.judged_key = seen.key
        each = self.match.game.dice_each and not self.match.request.reveals  # revealed dice come all at once
        own = self.match.game.dice if each else None
        outcome = on_rest(self.match.request, self.tray.memory, seen.rest, self.thrown, self._allows, own=own)
        if outcome.answers:
            self._give(outcome)
            return
        self.tray.memory = outcome.memory
        self.notices.hint = (outcome.hint or seen.hint) if seen.hints_now else ""

    def hold_back(self, held: HeldBack | None) -> None:
        """Report why a throw is delayed although its dice have long been read; BANK takes it. None: not delayed."""
        rest = held.rest if held is not None else None
        if held is not None and self.unread(rest) and not (self.player_to_register or self.tray.memory.paused):
            if self.tray.held_back is None:
                by_hand = any(hindrance.cause in HANDS for hindrance in held.hindrances)
                self.notices.hint = hints.HAND_AT_DICE if by_hand else hints.DICE_NOT_STILL
            self.tray.held_back = rest
        elif self.tray.held_back is not None:
            self.tray.held_back = None
            if self.notices.hint in (hints.HAND_AT_DICE, hints.DICE_NOT_STILL):
                self.notices.hint = ""

    def press(self, press: ports.Press, now_s: float) -> None:
        """Handle a short press; long ones open dialogs (`TableLoop`). now_s: on the clock of the frames."""
        if press.long:
            return
        if self.player_to_register:
            self._registration.press(press, now_s)
            self._answer_obvious()
            return
        was_paused = self.tray.memory.paused
        rest = self.tray.rest_for(self.match)
        outcome = on_press(
            self.match.request, self.tray.memory, press, rest, self.thrown, self._allows, by_hand=self.by_hand
        )
        if outcome.answers:
            self._give(outcome)
            return
        self.tray.memory, self.notices.hint = outcome.memory, outcome.hint
        if outcome.hint or self.notices.news[1]:
            self.notices.show(outcome.hint)  # the next observation of the tray may replace the hint
        if was_paused and not self.tray.memory.paused:
            self.tray.ignore_current_dice(now_s)

    @property
    def player_to_register(self) -> str:
        """The player who must lay down a die now to register its colour; empty if none."""
        return "" if self.by_hand else self.owners.player_to_register(self.match)

    # Undo, corrections, and answers that do not come from the tray

    def undo(self, entries: int, now_s: float, answers: tuple[Answer, ...] = ()) -> None:
        """Take back the newest entries in force and give these answers instead, all or nothing.

        Dice in the tray at that time are not a throw unless BANK is pressed. The dice of a throw that is taken back
        count as unread again; those of earlier throws stay counted, and so do those of a throw that is reassigned to
        another player.
        """
        try:
            events = log_views.draft_undo(self.match, entries, answers)
        except RefusedError as error:  # something else has happened since the question was asked
            self.notices.show(str(error))
            return
        undone = log_views.undone_throws(self.match.log, entries)
        counted_s = self.history.counted_before(undone[0]) if undone else self.tray.memory.counted_s
        first = len(self.match.log)
        if not self._record(events):
            return
        self.notices.hint = ""
        if answers:
            self.history.add(events, first, counted_s)  # if undone again, its dice count as unread, too
            self.tray.memory = dice_state.TableMemory(now_s, self.tray.memory.counted_s, self.tray.memory.kept_faces)
        else:
            self._start_memory(now_s, counted_s)
            self.notices.show(UNDONE_THROW if undone and self.unread(self.tray.rest) else UNDONE)
        self._answer_obvious()

    def correct(self, number: int, answer: Answer, now_s: float) -> None:
        """Correct an answer and report how many later answers are lost and asked again. number: from 1.

        Dice in the tray at that time are not a throw.
        """
        try:
            (event,) = self.match.draft_correct(number, answer)
        except RefusedError as error:  # something else has happened since the question was asked
            self.notices.show(str(error))
            return
        lost = mistakes.lost_by(self.match, event)
        if not self._record((event,)):
            return
        self.notices.hint = ""
        self.notices.show(event_text.joined(CORRECTED, event_text.lost_text(lost, most=0)))
        self.tray.ignore_current_dice(now_s)
        self._answer_obvious()

    def give(self, *answers: Answer) -> None:
        """Give answers that do not come from the tray; raises RefusedError if one is not legal, StoreError."""
        self._store(self.match.draft(*answers))
        self._answer_obvious()

    def leave(self, name: str) -> None:
        """Remove a player; raises RefusedError if nobody would be left, StoreError if it cannot be stored."""
        self._change_seats(self.match.draft_leave(name))

    def join(self, name: str) -> None:
        """Add or readmit a player; raises RefusedError if the game does not allow it, StoreError."""
        self._change_seats(self.match.draft_join(name))

    def _change_seats(self, events: tuple[Event, ...]) -> None:
        self._store(events)
        self._start_memory(self.tray.memory.ignored_until_s, self.tray.memory.counted_s)  # counted dice stay counted
        self.notices.hint = ""
        self._answer_obvious()

    def answer(self, *answers: Answer) -> None:
        """Give answers made by hand; raises RefusedError. If they cannot be stored, a hint says so."""
        thrown = any(isinstance(answer, Throw) for answer in answers)
        memory = replace(dice_state.settled(self.tray.memory), walk=None, unconfirmed="", aside=None)
        if self._record(self.match.draft(*answers)):
            self.tray.memory = dice_state.TableMemory(kept_faces=self.match.kept) if thrown else memory
            self.notices.hint, self.tray.judged_key = "", None
            self._answer_obvious()

    def enter_face(self, unsure: Unsure, arrived_s: float, face: int) -> None:
        """Accept a face from the user for an unreadable die, while it stays in place. face: 0 if it is not a die."""
        self.tray.enter_face(unsure, arrived_s, face)
        self.on_rest(self.tray.rest, moving_hint=False)

    # Queries of views and dialogs

    @property
    def doubt(self) -> tuple[Unsure, float] | None:
        """The unreadable die that the game waits for, with its arrival time; None if there is none."""
        return None if self.player_to_register else doubt(self.match.request, self.tray.memory, self.tray.rest)

    @property
    def bank_takes_dice(self) -> bool:
        """Whether BANK would take something that the camera has seen."""
        if self.by_hand or self.match.request.kind != "roll":
            return not self.by_hand
        return self.unread(self.tray.rest_for(self.match))

    def unread(self, rest: Rest | None) -> bool:
        """Return whether the number of unread dice there matches the dice due: BANK takes them."""
        return rest is not None and bool(dice_state.unread_throw(self.match.request, rest, self.tray.memory))

    @property
    def may_be_rolling(self) -> bool:
        """Whether something moving in the tray may be a throw while the player may choose to roll."""
        if self.tray.rest is not None or self.by_hand or self.tray.memory.paused:
            return False
        return offers.stop_option(self.match.request) is not None

    @property
    def thrown(self) -> tuple[int, ...]:
        """The last throw; empty before the first and for a joint throw."""
        return tray.last_throw(self.match)

    @property
    def offer(self) -> offers.Offer | None:
        """What BANK would take now."""
        aside = self.tray.aside_for(self.match)
        return self.offers.current(self.match, self.tray.memory, aside, by_hand=self.by_hand)

    # From answers to the journal

    def _allows(self, answers: tuple[Answer, ...]) -> bool:
        return self.offers.allows(self.match, answers)

    def _give(self, outcome: Outcome) -> None:
        """Give the answers of an outcome. If they cannot be stored nothing has happened: the same rest comes again."""
        try:
            events = self.match.draft(*outcome.answers)
        except RefusedError as error:  # should not happen: `interpret` has tried them; show the reason
            self.notices.hint = str(error)
            return
        rest, since_s, first = self.tray.rest or self.tray.held_back, self.tray.memory.since_s, len(self.match.log)
        if self._record(events):
            if rest is not None:
                self.history.add_seen(events, first, rest, since_s)
                for number, event in enumerate(events, start=first + 1):
                    if event.kind == "throw":
                        self.threw(self.journal.number, number, event, rest)
            self.tray.memory = replace(outcome.memory, walk=None, unconfirmed="", aside=None)
            self.notices.hint, self.tray.judged_key = "", None
            self._answer_obvious()

    def _record(self, events: tuple[Event, ...]) -> bool:
        """Store and apply events; return whether they could be stored. If not, a hint says so."""
        try:
            self._store(events)
        except StoreError as error:
            self.tray.judged_key = None
            self.notices.fail(error)
            return False
        return True

    def _store(self, events: tuple[Event, ...]) -> None:
        first = len(self.match.log)
        self.journal.record(events)
        self.history.add(events, first, self.tray.memory.counted_s)
        self.tray.end_question()
        self.notices.clear()

    def _start_memory(self, ignored_until_s: float, counted_s: float | None) -> None:
        """Forget the dice in the tray, except up to when they are ignored and counted."""
        self.tray.memory = dice_state.TableMemory(
            ignored_until_s=ignored_until_s, counted_s=counted_s, kept_faces=self.match.kept
        )

    def _answer_obvious(self) -> None:
        for _ in range(MANY_ANSWERS):
            answers = obvious(self.match.request)
            if not answers or not self._record(self.match.draft(*answers)):
                return
