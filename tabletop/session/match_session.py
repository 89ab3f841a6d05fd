"""A match being played: rests and presses come in, events go to the store and are then obeyed."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any

from tabletop.core.errors import RefusedError, StoreError
from tabletop.core.ports import Press
from tabletop.core.values import Rest, Unsure
from tabletop.dialogs.correction.correct import Lay
from tabletop.dialogs.correction.lost_answers import (
    LostAnswerPrompt,
    LostAnswers,
    advance,
    answers_lost_by,
    next_offer,
    start,
)
from tabletop.dialogs.option_values import TOGETHER
from tabletop.interpret import Offer, Outcome, TableMemory, obvious, offer, on_press, on_rest
from tabletop.interpret.dice_state import NOTHING_WAITS, gone_unread, intended_keep, lain_unsure, new_dice, unread_throw
from tabletop.interpret.joint import owned
from tabletop.interpret.keeps import CARRIED_S
from tabletop.interpret.log_views import MANY_ANSWERS, draft_undo, places_in_force, places_standing
from tabletop.interpret.moved_dice import as_counted
from tabletop.interpret.unreadable import EnteredFace, doubt, with_entered_faces
from tabletop.rules import Answer, Correction, Event, Match, Throw
from tabletop.session.dice_registration import SKIPPED, TOO_ALIKE, colours_clash, player_to_register, registered_colour
from tabletop.session.dice_registration import registered_text as laid_text
from tabletop.session.journal import EventSink
from tabletop.session.lookahead import Lookahead

CALM_S = 0.4  # who picks up dice one after the other is not told at each of them what is wrong with the rest
HINT_AFTER_S = 0.7  # dice that come one after the other are no missing dice yet
MOST_ENTERED_FACES = 20  # faces that people told, of which the newest are remembered: more dice lie in no tray at once
CORRECTED = "corrected"
UNDONE, UNDONE_THROW = "undone", "undone: throw again, or BANK takes what lies there"

EventListener = Callable[
    [Mapping[str, Any]], None
]  # takes each event when it is on disk and obeyed, as `play --json` tells it


class MatchSession:
    """One match at the table.

    match: as it stands. ledger, number: where its events are kept. time: returns the time to note, ISO 8601 in UTC.
    told: called for each event once it is on disk. by_hand: throws are told with the buttons: nobody watches the tray.
    hint: for as long as it holds. news: (how many there were, the newest), to be shown for a moment; its text is empty
    where the newest event speaks for itself (`match.said`). anew: what a correction lost and is still to be offered.
    rolled_on_by_throwing: whether the newest throw was itself taken for rolling on; after a resume nobody knows.
    colours: of the players' dice, where several throw at once. lays: whether people can be asked to lay them. tells:
    joint throws are told with the buttons, since the colours do not tell whose die is whose.
    """

    def __init__(
        self,
        match: Match,
        ledger: EventSink,
        number: int,
        time: Callable[[], str],
        told: EventListener,
        *,
        colours: Mapping[str, str] | None = None,
        lays: bool = False,
    ) -> None:
        self.colours, self.lays, self.joint_by_hand = dict(colours or {}), lays, False
        self.match, self.number = match, number
        self.memory = TableMemory(laid=match.kept)
        self.rest: Rest | None = None
        self._calm_since: tuple[tuple[tuple[int, str], ...], float] = ((), float("-inf"))
        self._foresight = Lookahead()
        self._own = match.game.dice if match.game.dice_each else None
        self._whole_s = float("-inf")  # when all dice that were counted were last seen to lie there
        self._lay: Rest | None = None  # what lay there last at this question: a hand over the tray hides it
        self.hint, self.news = "", (0, "")
        self.by_hand = False
        self.anew: LostAnswers | None = None
        self.rolled_on_by_throwing = True
        self._ledger, self._time, self._told = ledger, time, told
        self._noted_over = match.over
        self._counted_before: dict[int, float | None] = {}  # for throws of the log: `counted_s` without them
        self._told_faces: tuple[EnteredFace, ...] = ()
        self._lay_then: dict[int, Lay] = {}  # for throws of the log: what lay there when they were taken
        self._judged: tuple[object, ...] | None = None
        self._offered: tuple[tuple[object, ...], Offer | None] | None = None
        self._answer_obvious()

    def on_rest(self, rest: Rest | None, *, moving_hint: bool = True) -> None:
        """Take in what lies in the tray now, None while something moves. moving_hint: wait before hinting."""
        if rest is None:
            self.rest = self._judged = None
            return
        rest = owned(with_entered_faces(rest, self._told_faces), self.colours, self.match.request)
        counted = as_counted(rest, self.memory, self._whole_s)
        self.rest = self._lay = rest = counted.rest
        self._whole_s = rest.reading.time_s if counted.whole else self._whole_s
        lies_s = rest.reading.time_s - max(rest.arrived_s, default=float("-inf"))
        young = moving_hint and lies_s < HINT_AFTER_S
        sorting = self.match.request.kind == "keep" and not new_dice(rest, self.memory)
        calm = not (moving_hint and sorting) or self._calm(rest)
        key = (
            tuple((die.face, die.where) for die in rest.reading.dice),
            rest.arrived_s,
            rest.unsure_arrived_s,
            self.memory,
            len(self.match.log),
            (young, lies_s < CARRIED_S, calm),
            counted.hint,
            (gone_unread(rest, self.memory), len(lain_unsure(rest, self.memory))),
        )
        if key == self._judged:
            return
        if self.player_to_register:
            self._lay_die(rest)
            return
        self._judged = key
        outcome = on_rest(self.match.request, self.memory, rest, self.thrown, self._allowed, own=self._own)
        if outcome.answers:
            self._take(outcome)
            return
        self.memory = outcome.memory
        hint = outcome.hint or counted.hint
        self.hint = hint if calm and not young else ""

    def _calm(self, rest: Rest) -> bool:
        """Tell whether what lies there has been the same for a while."""
        lying = tuple(sorted((die.face, die.where) for die in rest.reading.dice))
        if lying != self._calm_since[0]:
            self._calm_since = (lying, rest.reading.time_s)
        return rest.reading.time_s - self._calm_since[1] >= CALM_S

    def press(self, press: Press, now_s: float) -> None:
        """Obey a short press; long ones ask something (`TableLoop`). now_s: on the clock of the frames."""
        if press.long:
            return
        if self.player_to_register:
            self._press_laying(press, now_s)
            return
        was_paused = self.memory.paused
        outcome = on_press(
            self.match.request, self.memory, press, self._seen, self.thrown, self._allowed, by_hand=self.by_hand
        )
        if outcome.answers:
            self._take(outcome)
            return
        self.memory, self.hint = outcome.memory, outcome.hint
        if outcome.hint or self.news[1]:
            self.show_message(outcome.hint)  # the next look at the tray has a hint of its own, or none
        if was_paused and not self.memory.paused:
            self.ignore_current_dice(now_s)

    @property
    def player_to_register(self) -> str:
        """Who is to lay a die now, so that its colour is known; empty where nobody is."""
        asks = self.lays and not self.by_hand and not self.joint_by_hand
        return player_to_register(self.match, self.colours) if asks else ""

    def _lay_die(self, rest: Rest) -> None:
        """Remember the colour of the die that the player who is asked has laid, if he has."""
        name, seen = self.player_to_register, registered_colour(rest, self.memory)
        self.hint = seen.hint
        if not seen.colour:
            return
        if colours_clash(seen.colour, self.colours):
            self._one_by_one(TOO_ALIKE, rest.reading.time_s)
            return
        try:
            self._ledger.keep_colour(self.number, name, seen.colour)
        except StoreError as error:
            self.hint = str(error)
            return
        self.colours[name] = seen.colour
        self.ignore_current_dice(rest.reading.time_s)
        self.show_message(laid_text(name, seen.colour))

    def _press_laying(self, press: Press, now_s: float) -> None:
        if press.button == "bank":
            self._one_by_one(SKIPPED, now_s)
        elif not self.match.log:
            self.colours.clear()
            self.ignore_current_dice(now_s)

    def _one_by_one(self, why: str, now_s: float) -> None:
        """Let those who would throw at once throw one after the other; in mid-match their throws are told by hand."""
        if self.match.log:
            self.joint_by_hand = True
        else:
            match = Match(self.match.game.id, self.match.seated, **{**self.match.options, TOGETHER: False})
            try:
                self._ledger.change_options(self.number, match.options)
            except StoreError as error:
                self.hint = str(error)
                return
            self.match = match
            self._answer_obvious()
        self.hint = ""
        self.ignore_current_dice(now_s)
        self.show_message(why)

    def ignore_current_dice(self, now_s: float) -> None:
        """Take nothing that lies in the tray now for a throw, unless BANK says so."""
        left = replace(self.memory, walk=None, again="", aside=None, held=None)
        self.memory = replace(left, ignored_until_s=now_s, waiting=NOTHING_WAITS)

    def show_message(self, text: str) -> None:
        """Say something to people, for a moment."""
        self.news = (self.news[0] + 1, text)

    def cancel_confirmation(self) -> None:
        """Forget a risky press that waits for its repetition."""
        self.memory = replace(self.memory, again="")

    def undo(self, entries: int, answers: tuple[Answer, ...], now_s: float) -> None:
        """Take back the newest entries in force and give these answers then, all of it or nothing.

        What lies in the tray then is no throw unless BANK says so. The dice of a throw that is taken back are unread
        again; those of the throws before it were counted and stay so, and so do those of a throw that was only given to
        somebody else.
        """
        try:
            events = draft_undo(self.match, entries, answers)
        except RefusedError as error:  # something else happened since it was asked
            self.show_message(str(error))
            return
        was, log = self.memory, self.match.log
        undone = [at for at in places_in_force(log)[-entries:] if log[at].kind == "throw"]
        counted_s = self._counted_before.get(undone[0]) if undone else was.counted_s
        if not self._stored(events):
            return
        again = {at for at in self._counted_before if at >= len(log)}
        self._counted_before |= dict.fromkeys(again, counted_s)
        self.hint = ""
        if not answers:
            self.memory = TableMemory(ignored_until_s=now_s, counted_s=counted_s, laid=self.match.kept)
            lying = self.rest is not None and unread_throw(self.match.request, self.rest, self.memory)
            self.show_message(UNDONE_THROW if undone and lying else UNDONE)
        elif any(isinstance(answer, Throw) for answer in answers):
            self.memory = TableMemory(ignored_until_s=now_s, counted_s=was.counted_s, laid=was.laid)
        else:  # the dice that lie there were no throw of whoever throws next
            self.memory = TableMemory(ignored_until_s=now_s, counted_s=now_s, laid=self.match.kept)
        self._answer_obvious()

    def correct(self, number: int, answer: Answer, now_s: float) -> None:
        """Correct an answer that stands, and have what that loses offered anew; what lies in the tray is no throw."""
        try:
            (event,) = self.match.draft_correct(number, answer)
        except RefusedError as error:  # something else happened since it was asked
            self.show_message(str(error))
            return
        lost = answers_lost_by(self.match, event.value) if isinstance(event.value, Correction) else ()
        if self._stored((event,)):
            anew = start(lost, len(self.match.log))
            self.hint = ""
            self.show_message(CORRECTED)
            self.ignore_current_dice(now_s)
            self._answer_obvious()
            self.anew = advance(anew, self.match) if anew else None

    @property
    def lost_answer_prompt(self) -> LostAnswerPrompt | None:
        """The answer that was lost and fits now, None where there is none."""
        if self.anew is not None and self.anew.known != len(self.match.log):
            self.anew = advance(self.anew, self.match)
        event = next_offer(self.anew, self.match) if self.anew else None
        return LostAnswerPrompt(event, len(self.anew.rest) - 1) if self.anew and event else None

    def reapply_lost_answer(self, now_s: float) -> bool:
        """Take the answer offered anew as it was recorded; return whether it could be stored."""
        now = self.lost_answer_prompt
        if now is None or not self._stored((now.event,)):
            return False
        self.ignore_current_dice(now_s)
        self._answer_obvious()
        return True

    def give(self, *answers: Answer) -> None:
        """Give answers that came from elsewhere than the tray; RefusedError where they are not legal."""
        self._store(self.match.draft(*answers))
        self._answer_obvious()

    def leave(self, name: str) -> None:
        """Let a player leave; RefusedError where nobody would stay, StoreError where it cannot be kept."""
        self._seat(self.match.draft_leave(name))

    def join(self, name: str) -> None:
        """Let a player come back or sit down; RefusedError where the game does not allow it, StoreError as above."""
        self._seat(self.match.draft_join(name))

    def _seat(self, events: tuple[Event, ...]) -> None:
        self._store(events)
        was = self.memory  # dice that were counted before stay so, whoever throws next
        self.memory = TableMemory(ignored_until_s=was.ignored_until_s, counted_s=was.counted_s, laid=self.match.kept)
        self.hint = ""
        self._answer_obvious()

    @property
    def lay_then(self) -> dict[int, Lay]:
        """For throws that a correction can reach, by its number: what lay there, where the camera saw it."""
        places = enumerate(places_standing(self.match.log), start=1)
        return {number: self._lay_then[at] for number, at in places if at in self._lay_then}

    def enter_throw(self, throw: Throw) -> None:
        """Take a throw that people told with the buttons; where the store cannot take it, the hint says so."""
        if self._stored(self.match.draft(throw)):
            self.memory, self.hint = TableMemory(laid=self.match.kept), ""
            self._answer_obvious()

    @property
    def doubt(self) -> tuple[Unsure, float] | None:
        """What the game waits for and cannot be read, with when it came; None where nothing is, or dice are laid."""
        return None if self.player_to_register else doubt(self.match.request, self.memory, self.rest)

    def enter_face(self, one: Unsure, arrived_s: float, face: int) -> None:
        """Take people's word for what cannot be read, for as long as it lies there. face: 0 where it is no die."""
        self._told_faces = (*self._told_faces[1 - MOST_ENTERED_FACES :], EnteredFace(one, arrived_s, face))
        self.on_rest(self.rest, moving_hint=False)

    @property
    def thrown(self) -> tuple[int, ...]:
        """The throw last taken; empty before the first and for a joint throw."""
        return self.match.thrown if isinstance(self.match.thrown, tuple) else ()

    @property
    def offer(self) -> Offer | None:
        """What BANK takes now."""
        key = (len(self.match.log), self.memory, self.seen_aside)
        if self._offered is None or self._offered[0] != key:  # views ask many times a second
            self._offered = (key, self._offer_now())
        return self._offered[1]

    def _offer_now(self) -> Offer | None:
        taken = offer(self.match.request, self.memory, self.seen_aside, self._allowed, by_hand=self.by_hand)
        return self._foresight.with_points(self.match, taken)

    @property
    def seen_aside(self) -> tuple[int, ...] | None:
        """The faces that lie aside at a keep, None where nobody has begun to sort."""
        if self._seen is None or self.match.request.kind != "keep":
            return None
        return intended_keep(self._seen, self.memory, self.match.request, self.thrown)

    @property
    def _seen(self) -> Rest | None:
        """What lies in the tray; while something moves, at a keep what lay there before, so that BANK keeps that."""
        return self._lay if self.rest is None and self.match.request.kind == "keep" else self.rest

    def _allowed(self, answers: tuple[Answer, ...]) -> bool:
        return self._foresight.allowed(self.match, answers)

    def _take(self, outcome: Outcome) -> None:
        """Store and obey answers. Where the store cannot take them nothing happened: the same rest comes again."""
        try:
            events = self.match.draft(*outcome.answers)
        except RefusedError as error:  # cannot be: what `interpret` proposes was tried; people are told all the same
            self.hint = str(error)
            return
        lay, first = (self.rest, self.memory.since_s), len(self.match.log)
        if self._stored(events):
            for at, event in enumerate(events, start=first):
                if event.kind == "throw" and lay[0] is not None:
                    self._lay_then[at] = lay[0], lay[1]
            self.memory = replace(outcome.memory, walk=None, again="", aside=None)
            self.hint, self._judged = "", None
            self._answer_obvious()

    def _stored(self, events: tuple[Event, ...]) -> bool:
        try:
            self._store(events)
        except StoreError as error:
            self.hint, self._judged = str(error), None
            self.show_message(str(error))
            return False
        return True

    def _store(self, events: tuple[Event, ...]) -> None:
        first, time = len(self.match.log) + 1, self._time()
        self._ledger.append(self.number, first, [(time, event.to_json()) for event in events])
        self.match.apply(*events)
        self._lay = None  # it was about another question, and so was what follows
        self.memory = replace(self.memory, walk=None, aside=None, held=None)
        self.news = (self.news[0], "")
        if any(event.kind == "throw" for event in events):
            self.rolled_on_by_throwing = any(event.kind == "choose" for event in events)
        for n, event in enumerate(events, start=first):
            if event.kind == "throw":
                self._counted_before[n - 1] = self.memory.counted_s
            told = {key: value for key, value in event.to_json().items() if key != "request"}
            self._told({"n": n, "time": time, **told})
        self._note_ending()

    def _note_ending(self) -> None:
        """Note in the store whether the match is over; where it cannot be noted now, then with the next event.

        The events are on disk by then, and they alone tell how the match stands: this is only the list of open matches.
        """
        if self.match.over == self._noted_over:
            return
        with suppress(StoreError):
            self._ledger.end(self.number, "over" if self.match.over else None)
            self._noted_over = self.match.over

    def _answer_obvious(self) -> None:
        for _ in range(MANY_ANSWERS):
            answers = obvious(self.match.request)
            if not answers or not self._stored(self.match.draft(*answers)):
                return
