"""The loop that owns the match: takes presses, commands and rests, and returns snapshots.

Another thread reads the camera (`CameraThread`) and buttons deliver edges; the loop waits for neither. `TableLoop.tick`
is one iteration, with the time as an argument, so that it can be tested without a clock.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from tabletop.core import errors, message
from tabletop.core.ports import Buttons, Press
from tabletop.dialogs import commands, mistakes
from tabletop.dialogs.commands import Command, Decision, Dialog, Inbox, MenuAction, Result, TakeLine, Tap
from tabletop.dialogs.menu import failed, match_menu
from tabletop.interpret import hints, log_views
from tabletop.perception.pipeline import FrameResult
from tabletop.session import film_loop, manual_entry, match_session, observer, snapshotting, table_events
from tabletop.session.camera_thread import CameraThread
from tabletop.views import screen_care, snapshot

DecisionKind = MenuAction | type[Decision]
"""What decisions are looked up by: a menu action itself, else the class of the decision."""

Handler = Callable[[Any, match_session.MatchSession | None], match_session.MatchSession | Dialog | None]
"""Carries out a decision of its kind in the match that is played, None for no match.

Returns the match that is played then, the dialog that is open then, or None for the start menu. Raises TabletopError if
it cannot be done; nothing has changed then.
"""

Handlers = Mapping[DecisionKind, Handler]


def kind_of(decision: Decision) -> DecisionKind:
    """Return the key of the decision's handler."""
    return decision if isinstance(decision, MenuAction) else type(decision)


MatchHandler = Callable[[Any, match_session.MatchSession, float], Dialog | None]
"""Carries out a decision of its kind at a time in seconds; returns the dialog that is open then, None for none."""


def open_undo(session: match_session.MatchSession) -> Dialog | None:
    """Return the dialog that asks what to undo, None if there is nothing."""
    session.tray.memory = replace(session.tray.memory, unconfirmed="")
    question = mistakes.undo_question(session.match, rolled_on_by_throwing=session.history.rolled_on_by_throwing)
    if question is None:
        session.notices.show(message.say("nothing to undo"))
    return question


def _ask_undo(_: MenuAction, session: match_session.MatchSession, now_s: float) -> Dialog | None:
    session.tray.ignore_current_dice(now_s)  # whatever was done with the dice in the meantime is not a throw
    return open_undo(session)


def _ask_correction(_: MenuAction, session: match_session.MatchSession, now_s: float) -> Dialog | None:
    session.tray.ignore_current_dice(now_s)
    menu = mistakes.correct_menu(session.match, session.history.seen_throws(session.match.log))
    if menu is None:
        session.notices.show(message.say("nothing to correct"))
    return menu


def _take_back(decision: commands.TakeBack, session: match_session.MatchSession, now_s: float) -> None:
    session.undo(decision.entries, now_s, decision.answers)


def _correct(decision: commands.Correct, session: match_session.MatchSession, now_s: float) -> None:
    """Correct an answer; StaleError if another one stands by now than the one to be replaced."""
    if decision.was is not None and decision.was != log_views.answer_standing(session.match, decision.number):
        raise errors.StaleError(f"expected {decision.was} as answer {decision.number}, got another one")
    session.correct(decision.number, decision.answer, now_s)


MATCH_HANDLERS: Mapping[DecisionKind, MatchHandler] = {
    MenuAction.UNDO: _ask_undo,
    MenuAction.CORRECT: _ask_correction,
    commands.TakeBack: _take_back,
    commands.Correct: _correct,
}


LOOK_EVERY_S = 2.0  # a full card is reported within this time


class StoreWatch:
    """Monitors whether the store can take events. look: returns the reason for users if not, else empty."""

    def __init__(self, look: Callable[[], str]) -> None:
        self._look, self._trouble = look, ""
        self._looked_s = float("-inf")

    def __call__(self, now_s: float) -> str:
        """Return why nothing can be stored now, empty if all is well."""
        if now_s - self._looked_s >= LOOK_EVERY_S:
            self._trouble, self._looked_s = self._look(), now_s
        return self._trouble


BANK = Press("bank")
IDLE_S = 10 * 60.0  # longer than a talk between two turns: on returning, players want to know whose turn it is


class TableLoop:
    """The state of the table, advanced one loop iteration at a time.

    camera_thread: provides the newest frame. buttons: any number of pairs. handlers: carry out decisions of dialogs
    that go beyond the current match, such as a new match or another language. start: makes the start menu. no_camera:
    there is no camera, so throws are entered with the buttons. inbox: commands from other views, such as the page.
    switches_off: whether holding both buttons for `SWITCH_OFF_S` switches the table off. first_question: the number of
    the first question, different at each start.

    session: the current match, None if there is none. menu: the dialog that has the buttons, None for the match itself.
    over: whether the table was switched off. care: controls the screen brightness. handlers: decision -> handler,
    including those of the match itself.
    """

    def __init__(
        self,
        camera_thread: CameraThread,
        buttons: Sequence[Buttons],
        handlers: Handlers,
        start: Callable[[], Dialog],
        *,
        no_camera: bool = False,
        inbox: Inbox | None = None,
        store_trouble: Callable[[], str] = lambda: "",
        switches_off: bool = False,
        first_question: int = 0,
    ) -> None:
        self.session: match_session.MatchSession | None = None
        self.menu: Dialog | None = None
        self.over = False
        self.camera_thread, self._start = camera_thread, start
        self._queue, self._questions = table_events.EventQueue(inbox), commands.Questions(first_question)
        self.care = screen_care.ScreenCare()
        self._buttons = table_events.TableButtons(buttons, self.care, switches_off=switches_off)
        self._store_trouble = StoreWatch(store_trouble)
        self._display = snapshotting.MatchDisplay(manual_entry.ManualEntry(no_camera=no_camera))
        self._recorder: observer.TurnRecorder | None = None
        self._asked: Dialog | None = None  # the dialog that made the newest decision
        self._opening = False  # the HOLD that opened the menu may still be down: it must not step through it
        self.handlers: dict[DecisionKind, Callable[[Any, float], None]] = {
            **{
                kind: partial(self._behind if kind in commands.BEHIND else self._leave_match, handler)
                for kind, handler in handlers.items()
            },
            **{kind: partial(self._in_match, handler) for kind, handler in MATCH_HANDLERS.items()},
            MenuAction.QUIT: self._quit,
            MenuAction.BACK: self._close,
            MenuAction.STAY: lambda *_: None,  # dice that came to rest in the meantime are judged now
            commands.GiveAnswers: self._answer,
            commands.SetFace: self._set_face,
            commands.ShowCorners: self._show_corners,
        }

    def record(self, recorder: observer.TurnRecorder | None) -> None:
        """Start recording; call it before the first iteration."""
        self._recorder, self.camera_thread.notes = recorder, recorder.notes if recorder is not None else None

    def begin(self, session: match_session.MatchSession | None) -> None:
        """Play this match, or open the start menu if None."""
        self._display.begin(session)
        self.session, self.menu = session, self._start() if session is None else None
        if session is not None:
            session.by_hand = self._display.manual.no_camera

    def tick(self, now_s: float) -> snapshot.Snapshot:
        """Process everything up to `now_s` and return the snapshot to show."""
        seen = self.camera_thread.newest
        self._queue.put(self._buttons.new_presses(now_s))
        self._queue.take_commands()
        if seen is not None:
            self._queue.put(table_events.SeenRest(*rest) for rest in self.camera_thread.rests(seen, now_s))
        if self._buttons.held_from_the_start() and MenuAction.DISPLAY_TEST in self.handlers:
            self._carry_out(MenuAction.DISPLAY_TEST, now_s)
        for event in self._queue:
            self._process(event, now_s)
        if self._buttons.off_in_s(now_s) <= 0:
            self._quit(MenuAction.QUIT, now_s)
        self.care.see(seen.rest if seen else None, now_s)
        if self.session is not None and self.menu is None and seen is not None:
            if news := self.camera_thread.moves.news(seen):
                self.session.notices.show(news)
            self.session.hold_back(None if self.camera_thread.is_outdated(seen, now_s) else seen.held_back)
            self.camera_thread.expect = film_loop.expected_dice(self.session)
        if self._recorder is not None:
            self._record_turn(self._recorder, seen, now_s)
        shown = self._buttons.feedback(snapshotting.troubled(self._snapshot(seen, now_s), self._trouble(now_s)), now_s)
        return self._questions.numbered(shown)

    def _process(self, event: table_events.TableEvent, now_s: float) -> None:
        asked = self._asked_now
        if isinstance(event, table_events.SeenRest):
            self._on_rest(event, now_s)
        elif isinstance(event, Command):
            event.result.set_result(self.handle(event, now_s))
        else:
            self._press(event, now_s)
            self._questions.close(event)
            if self._asked_now != asked:
                self._questions.answered(now_s)
        if self._asked_now != asked:
            self._questions.log_grew()

    @property
    def busy(self) -> bool:
        """Whether a button is down, so that the next iteration should come soon."""
        return self._buttons.busy

    @property
    def _asked_now(self) -> tuple[int, int] | None:  # None while a dialog is open
        return None if self.session is None or self.menu is not None else self.session.journal.asked

    def _record_turn(self, recorder: observer.TurnRecorder, seen: FrameResult | None, now_s: float) -> None:
        frame, menu = seen.frame if seen is not None else None, self.menu is not None
        recorder.turn(now_s, frame, self._buttons.edges, self.session, menu=menu, busy=self.busy)
        if self.session is not None and not menu and (news := recorder.news()):
            self.session.notices.show(news)

    # Output to views

    def _snapshot(self, seen: FrameResult | None, now_s: float) -> snapshot.Snapshot:
        if self.menu is not None:
            played = self.session
            number, game = (played.journal.number, played.match.title) if played else (0, "")
            return replace(self.menu.snapshot, number=number, game=game)
        if self.session is None:
            return snapshot.Snapshot()
        reading = seen.pixel_reading if seen else None
        shown = self._display.show(self.session, reading, now_s)
        if self.care.quiet_s(now_s) >= IDLE_S and not shown.hint and not shown.winners:
            return replace(shown, hint=hints.idle(self.session.match.request))
        return shown

    def _trouble(self, now_s: float) -> str:
        """Return what is out of order, empty for nothing. In a menu only what keeps people from answering it."""
        if leaving := self._buttons.leaving(now_s):
            return leaving
        trouble = self._store_trouble(now_s) or self.camera_thread.trouble_now(now_s)
        return trouble if trouble and self.menu is None else self._buttons.stuck(now_s)

    def _on_rest(self, event: table_events.SeenRest, now_s: float) -> None:
        if self.session is None or self.menu is not None or self._store_trouble(event.time_s):
            return
        known, offered = len(self.session.match.log), self.session.offer
        self.session.on_rest(event.rest)
        if len(self.session.match.log) > known:
            self._questions.bank_changes(now_s)
            if self._queue.put_back:
                self._queue.put_back = None
                self.session.notices.show(hints.JUST_CHANGED)
        elif self.session.offer != offered:
            self._questions.bank_changes(now_s)

    def _press(self, press: Press, now_s: float) -> None:
        if press.repeat and (self.menu is None or self._opening):
            return
        if press.menu and self.menu is not None:
            press = Press("bank", long=True, menu=True, time_s=press.time_s)  # MENU goes back, whatever is asked
        if press.button == "hold":
            self._opening = self.menu is None
        if self.menu is not None:
            self._turn_to(self.menu.press(press), now_s)
        elif self.session is not None:
            self._press_in_match(press, self.session, now_s)

    def _turn_to(self, target: Dialog | Decision, now_s: float) -> None:
        if isinstance(target, Decision):
            self._carry_out(target, now_s)
        else:
            self.menu = target

    def _press_in_match(self, press: Press, session: match_session.MatchSession, now_s: float) -> None:
        watched = self.camera_thread.newest is not None
        if press.button == "hold" and press.long:
            has = self.handlers.__contains__
            self.menu = match_menu(
                session.match, page=has(MenuAction.DEVICES), display_test=has(MenuAction.DISPLAY_TEST)
            )
        elif trouble := self._store_trouble(now_s):
            session.notices.show(trouble)
        elif press == BANK and session.bank_takes_dice and self._questions.too_early(press, now_s):
            session.notices.show(hints.JUST_CHANGED)
        elif session.match.over and not press.long:
            self._press_at_end(press, session, now_s)
        elif self._display.manual.press(press, session):
            return
        elif press.button == "bank" and press.long:
            self.menu = open_undo(session)
        elif press == BANK and watched and session.may_be_rolling and now_s - press.time_s <= table_events.TUMBLE_S:
            self._queue.put_back = press
            session.notices.show(hints.BANK_WAITS)
        else:
            session.press(press, now_s)

    def _press_at_end(self, press: Press, session: match_session.MatchSession, now_s: float) -> None:
        if self._display.shows_last_throw(session, now_s):
            self._display.turn_to_winner()  # any press shows the winner first: nobody means to start another match yet
        elif press.button == "bank":
            self._carry_out(MenuAction.REMATCH, now_s)
        else:
            self.menu = self._start()

    # Commands and dialog decisions: see the table `handlers`

    def handle(self, command: Command, now_s: float) -> Result:
        """Carry out a command, unless the question it answers is no longer open."""
        if (result := self._questions.judge(command, self._asked_now)) is not None:
            return result
        self.care.stir(now_s)
        wants = command.wants
        if isinstance(wants, Press | TakeLine):
            self._tap(wants, command.time_s, now_s)
            return commands.ACCEPTED
        if kind_of(wants) not in self.handlers:
            return commands.REFUSED
        before = self.menu
        try:
            self._carry_out(wants, now_s)
        except errors.TabletopError as error:
            self.menu = before
            return commands.result_of(error)
        if self._recorder is not None and not isinstance(wants, commands.ThrowDice):
            self._recorder.decided = True
        return commands.ACCEPTED

    def _tap(self, tap: Tap, time_s: float, now_s: float) -> None:
        if self._recorder is not None:
            self._recorder.taps.append(tap)
        if isinstance(tap, Press):
            self._press(replace(tap, prompt=True, time_s=time_s, down_s=time_s), now_s)
        elif self.menu is not None:
            self._turn_to(commands.tapped(self.menu, tap), now_s)
        elif self.session is not None:
            self._display.manual.enter(tap.at, self.session)
        self._questions.close(tap)

    def _carry_out(self, decision: Decision, now_s: float) -> None:
        self._asked, self.menu = self.menu, None
        self.handlers[kind_of(decision)](decision, now_s)
        closed: object = self._asked
        if closed is not self.menu and isinstance(closed, commands.PutAside):
            closed.put_aside()  # another dialog, or the match, takes its place

    def _leave_match(self, handler: Handler, decision: Decision, now_s: float) -> None:
        try:
            then = handler(decision, self.session)
        except errors.TabletopError as error:
            self.menu = failed(str(error), self._asked)
        else:
            if then is None or isinstance(then, match_session.MatchSession):
                self.begin(then)
            else:
                self.menu = then
        self._close(decision, now_s)

    def _behind(self, handler: Handler, decision: Decision, _: float) -> None:
        """Carry out what changes nothing of what is played or shown."""
        handler(decision, self.session)
        self.menu = self._asked

    def _in_match(self, handler: MatchHandler, decision: Decision, now_s: float) -> None:
        if self.session is not None:
            self.menu = handler(decision, self.session, now_s)

    def _close(self, _: Decision, now_s: float) -> None:
        if self.session is not None:
            self.session.tray.ignore_current_dice(now_s)  # what was done with the dice meanwhile is no throw

    def _quit(self, decision: Decision, now_s: float) -> None:
        self.over = True
        self._close(decision, now_s)

    def _answer(self, decision: commands.GiveAnswers, _: float) -> None:
        session = self.session
        if session is None or session.tray.memory.paused or not self._display.manual.takes(session, decision.answers):
            raise errors.RefusedError("expected no answer by hand now")
        session.answer(*decision.answers)

    def _set_face(self, decision: commands.SetFace, _: float) -> None:
        if self.session is not None:
            self._display.manual.set_face(decision, self.camera_thread.newest, self.session)

    def _show_corners(self, decision: commands.ShowCorners, _: float) -> None:
        dialog: object = self._asked
        if not isinstance(dialog, commands.AsksForCorners):
            raise errors.StaleError("expected the table to be set up now, and to ask for the tray's corners")
        dialog.take_corners(decision.corners)
        self.menu = self._asked
