"""The table in the world's own time: one thread owns the match, another watches the tray.

The watching thread only puts what it saw where the loop finds it; buttons give edges; the loop itself never waits for a
camera. `TableLoop.tick` is one turn of the loop, so that it can be tested without a clock.
"""

import threading
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from tabletop.core.errors import DeviceError, TabletopError
from tabletop.core.ports import Buttons, Camera, Edge, Press
from tabletop.core.values import Rest
from tabletop.dialogs.correction.correct import correct_menu
from tabletop.dialogs.correction.lost_answers import LostAnswerPrompt
from tabletop.dialogs.correction.undo import undo_question
from tabletop.dialogs.decisions import DECISIONS, Correct, Decision, Dialog, MenuAction, TakeBack
from tabletop.dialogs.menu import failed, match_menu
from tabletop.input.presses import Presses
from tabletop.interpret.hints import BANK_WAITS, CAMERA_ELSEWHERE, CAMERA_LOST, CAMERA_MOVED, THROW_FIRST, idle
from tabletop.interpret.log_views import is_forced
from tabletop.interpret.offers import stop_option
from tabletop.perception.pipeline import FrameResult, PerceptionPipeline
from tabletop.session.film_loop import expected_dice
from tabletop.session.manual_entry import ManualEntry
from tabletop.session.match_session import MatchSession
from tabletop.session.observer import RecordSink, TurnRecorder
from tabletop.session.snapshotting import last_throw, snapshot, troubled
from tabletop.views.screen_care import ScreenCare
from tabletop.views.snapshot import Snapshot

IDLE_S = 10 * 60.0  # longer than a talk between two turns: somebody who comes back wants to know whose turn it is
HELD_STEPS = 12  # pictures on the way to a long press: one every 50 ms
JOIN_S = 2.0  # a camera that does not come back from a read is given up after this
LAST_THROW_S = 9.0  # a throw that ended the match stands before who has won: two pages of the small screen
SAID_S = 4.0  # what an answer led to is shown for so long, then what is asked
STALL_S = 0.2  # wait after an error of the camera before it is asked again
SILENT_S = 2.0  # a slow camera in the dark takes half a second for a frame
EARLY_S = 1.5  # dice tumble for no longer once they are seen
RESTS_KEPT = 600  # what was seen in ten seconds at 60 frames a second: no card keeps the loop for longer
FAILED = "watching failed: {}: {}"
NO_PICTURES = "no pictures: check the camera's cable"


@dataclass(frozen=True, slots=True)
class _Early:
    """A BANK that was pressed while dice moved: a throw that was under way comes first. events: in the log by then."""

    press: Press
    at_s: float
    events: int


class CameraThread(threading.Thread):
    """Reads the camera without pause and keeps the newest thing seen, and the rests before it that nobody looked at.

    clock: the time of the frames, to tell a camera that stalls; without it nobody is told.
    """

    def __init__(self, camera: Camera, watch: PerceptionPipeline, clock: Callable[[], float] | None = None) -> None:
        super().__init__(name="watcher", daemon=True)
        self.expect: int | None = None
        self.notes: RecordSink | None = None
        self.newest: FrameResult | None = None
        self.trouble = ""
        self._camera, self._watch, self._clock = camera, watch, clock
        self._rests: deque[tuple[float, Rest | None]] = deque(maxlen=RESTS_KEPT)
        self._asked_s: float | None = None
        self._stop_asked = threading.Event()

    def run(self) -> None:
        """Watch until `stop` is called, or there is nothing to watch."""
        while not self._stop_asked.is_set() and self.step():
            if self.trouble:
                self._stop_asked.wait(STALL_S)

    def step(self) -> bool:
        """Take in one frame; return False where no other will come. Waits for the camera, so only this thread may."""
        self._asked_s = self._clock() if self._clock else None
        try:
            frame = self._camera.read()
            self._asked_s = None
            seen = self._watch.process(frame, self.expect) if frame is not None else None
        except DeviceError as error:
            self.trouble = str(error)
            return True
        except TabletopError as error:  # such as a profile that does not fit the camera's pictures
            self.trouble = str(error)
            return False
        except Exception as error:  # noqa: BLE001 - a fault of ours in one frame, or a driver's: people must be told
            self._asked_s = None
            self.trouble = FAILED.format(type(error).__name__, error)
            return True
        if frame is None or seen is None:
            self.trouble = NO_PICTURES if self.newest else ""  # it ended in the middle of the match, or there is none
            return self.newest is not None
        if self.notes is not None:  # before anybody can act on it
            self.notes.saw(frame, seen.pixel_reading)
        self.publish(seen)
        return True

    def publish(self, seen: FrameResult) -> None:
        """Keep what was seen in a frame."""
        self._rests.append((seen.frame.time_s, seen.rest))
        self.newest, self.trouble = seen, seen.trouble

    def rests(self, seen: FrameResult) -> list[Rest | None]:
        """Return the rests up to this one, but for those asked for before: a slow turn of the loop misses none."""
        passed = list[Rest | None]()
        while self._rests and self._rests[0][0] <= seen.frame.time_s:
            passed.append(self._rests.popleft()[1])
        return passed or [seen.rest]

    def trouble_now(self, now_s: float) -> str:
        """Return why there are no pictures that can be read, empty where there are."""
        asked_s = self._asked_s
        silent = asked_s is not None and now_s - asked_s > SILENT_S
        return self.trouble or (NO_PICTURES if silent else "")

    def stop(self) -> None:
        """Ask the thread to end, and let the camera go."""
        self._stop_asked.set()
        if self.is_alive():
            self.join(JOIN_S)
        self._camera.close()


class TableLoop:
    """What happens at the table in one turn of the loop.

    watcher: its newest frame is looked at. buttons: any number of pairs. decide: carries out what a menu decided (a new
    match, a resume, ...) and returns the running match, what is asked next, or None for the start menu. start: makes
    the start menu. no_camera: nobody watches the tray, so throws are told with the buttons.
    """

    def __init__(
        self,
        watcher: CameraThread,
        buttons: Sequence[Buttons],
        decide: Callable[[Decision], MatchSession | Dialog | None],
        start: Callable[[], Dialog],
        *,
        no_camera: bool = False,
    ) -> None:
        self.running: MatchSession | None = None
        self.menu: Dialog | None = None
        self.over = False
        self.watcher, self._buttons = watcher, buttons
        self._presses, self.care = Presses(), ScreenCare()
        self._decide, self._start = decide, start
        self._by_hand = ManualEntry(no_camera=no_camera)
        self._known: tuple[int, tuple[int, str]] = (0, (0, ""))  # log and news as they were shown last
        self._news_s = self._thrown_s = self._ended_s = float("-inf")
        self._hinted: tuple[str, float] = ("", 0.0)  # the hint as it was shown last, and since when it stands
        self._thrower = ""
        self._noting: TurnRecorder | None = None
        self._edges: list[Edge] = []
        self._early: _Early | None = None
        self._nudged = (0, 0)  # how often the camera was moved, and moved far, as far as people were told
        self._opening = False  # the HOLD that opened the menu may still be down: it steps nowhere in it

    def note(self, noting: TurnRecorder | None) -> None:
        """Keep a recording from now on, before the first turn."""
        self._noting, self.watcher.notes = noting, noting.notes if noting is not None else None

    def begin(self, running: MatchSession | None) -> None:
        """Play this match, or ask what to play."""
        self._known = (len(running.match.log), running.news) if running else (0, (0, ""))
        self._news_s = self._thrown_s = self._ended_s = float("-inf")
        self.running, self.menu = running, None
        if running is not None:
            running.by_hand = self._by_hand.no_camera
        else:
            self.menu = self._start()

    def tick(self, now_s: float) -> Snapshot:
        """Take in what happened up to `now_s` and return what views show."""
        for press in self._new_presses(now_s):
            self._press(press, now_s)
        seen = self.watcher.newest
        rests = self.watcher.rests(seen) if seen is not None else []
        self.care.see(seen.rest if seen else None, now_s)
        if self.running is not None and self.menu is None:
            self.menu = self.running.lost_answer_prompt
        if self.running is not None and self.menu is None and seen is not None:
            if (seen.nudged, seen.elsewhere) != self._nudged:
                self.running.show_message(_moved_text(seen) if seen.elsewhere != self._nudged[1] else CAMERA_MOVED)
                self._nudged = seen.nudged, seen.elsewhere
            for rest in rests:
                self.running.on_rest(rest)
            self._press_that_waited(self.running, now_s)
            self.watcher.expect = expected_dice(self.running)
        if self._noting is not None:
            frame = seen.frame if seen is not None else None
            menu = self.menu is not None
            self._noting.turn(now_s, frame, self._edges, self.running, menu=menu, busy=self.busy)
            if self.running is not None and not menu and (news := self._noting.news()):
                self.running.show_message(news)
        now = troubled(self._snapshot(seen, now_s), self._trouble(now_s))
        return self._with_button_feedback(now, now_s)

    @property
    def busy(self) -> bool:
        """Whether a finger is at a button, so that the next turn should come soon."""
        return self._presses.busy

    def _new_presses(self, now_s: float) -> list[Press]:
        """Return the presses that count: what wakes a dark screen was pressed to see something."""
        edges = self._edges = [edge for buttons in self._buttons for edge in buttons.edges()]
        dark = self.care.light(now_s) == "off"
        presses = self._presses.feed(edges, now_s)
        if edges:
            self.care.stir(now_s)
        if dark and edges:
            self._presses.forget()
            return []
        return presses

    def _trouble(self, now_s: float) -> str:
        """Return what is out of order, empty where nothing is. In a menu only what keeps people from answering it."""
        stuck = self._presses.stuck(now_s)
        trouble = self.watcher.trouble_now(now_s)
        if trouble and self.menu is None:
            return trouble
        return f"{stuck[0].upper()} is stuck: check the button" if stuck else ""

    def _with_button_feedback(self, now: Snapshot, now_s: float) -> Snapshot:
        """Acknowledge the button that is down; its outcome follows."""
        button, part = self._presses.felt(now_s)
        return now if button is None else replace(now, pressed=button, held=int(part * HELD_STEPS) / HELD_STEPS)

    def _snapshot(self, seen: FrameResult | None, now_s: float) -> Snapshot:
        if self.menu is not None:
            return self.menu.snapshot
        if self.running is None:
            return Snapshot()
        now = self._by_hand.shown(snapshot(self.running, seen.pixel_reading if seen else None), self.running)
        self._note_news(self.running, now_s)
        if self._shows_last_throw(self.running, now_s):
            return last_throw(now, self._thrower, self.running.match.said)
        if now_s - self._thrown_s < SAID_S:
            now = replace(now, thrower=self._thrower)
        if not now.hint and not now.winners and self.care.quiet_s(now_s) >= IDLE_S:
            now = replace(now, hint=idle(self.running.match.request))
        if now.hint != self._hinted[0]:
            self._hinted = (now.hint, now_s)
        now = replace(now, tray=self._by_hand.tray(self.running))
        said = self.running.news[1] or ("" if now.winners else self.running.match.said)
        if now_s - self._news_s >= SAID_S or (now.hint and (self._hinted[1] >= self._news_s or not said)):
            return now
        return replace(now, hint=said, tray=now.tray if now.entry is not None else None)

    def _note_news(self, running: MatchSession, now_s: float) -> None:
        """Note when something happened, and who has thrown; a throw that was taken back or corrected is none of it."""
        known = (len(running.match.log), running.news)
        if known == self._known:
            return
        before, self._known = self._known[0], known
        new = running.match.log[before:]
        self._news_s = now_s if new or running.news[1] else float("-inf")  # a press ends what was being said
        throws = [event for event in new if event.kind == "throw"]
        if throws:
            self._thrower, self._thrown_s = throws[-1].player or "", now_s
            given = next(event for event in reversed(running.match.events) if not is_forced(event))
            self._ended_s = now_s if running.match.over and given.kind == "throw" else float("-inf")
        elif any(event.kind in ("undo", "correct") for event in new):
            self._thrown_s = float("-inf")

    def _shows_last_throw(self, running: MatchSession, now_s: float) -> bool:
        return running.match.over and now_s - self._ended_s < LAST_THROW_S

    def _press(self, press: Press, now_s: float) -> None:
        self._early = None
        if press.repeat and (self.menu is None or self._opening):
            return
        if press.long and not press.repeat and isinstance(self.menu, LostAnswerPrompt):
            self.menu = None
        if press.button == "hold":
            self._opening = self.menu is None
        if self.menu is not None:
            led = self.menu.press(press)
            if isinstance(led, DECISIONS):
                self._obey(led, now_s)
            else:
                self.menu = led
        elif self.running is not None:
            self._press_in_match(press, self.running, now_s)

    def _press_in_match(self, press: Press, running: MatchSession, now_s: float) -> None:
        if press.button == "hold" and press.long:
            self.menu = match_menu(running.match)
        elif running.match.over and not press.long:
            self._press_at_end(press, running, now_s)
        elif self._by_hand.press(press, running):
            return
        elif press.button == "bank" and press.long:
            self._ask_undo(running)
        elif press.button == "bank" and self._may_be_early(running):
            self._early = _Early(press, now_s, len(running.match.log))
            running.show_message(BANK_WAITS)
        else:
            running.press(press, now_s)

    def _may_be_early(self, running: MatchSession) -> bool:
        """Tell whether something moves in the tray that may be a throw, and who is asked has the choice to roll."""
        moves = self.watcher.newest is not None and running.rest is None and not running.by_hand
        return moves and stop_option(running.match.request) is not None and not running.memory.paused

    def _press_that_waited(self, running: MatchSession, now_s: float) -> None:
        """Obey a BANK that was pressed while dice moved, once they lie: unless they were a throw."""
        early = self._early
        if early is None:
            return
        if len(running.match.log) != early.events:
            self._early = None
            running.show_message(THROW_FIRST)
        elif running.rest is not None or now_s - early.at_s > EARLY_S:
            self._early = None
            if not self._by_hand.press(early.press, running):
                running.press(early.press, now_s)

    def _press_at_end(self, press: Press, running: MatchSession, now_s: float) -> None:
        if self._shows_last_throw(running, now_s):
            self._ended_s = float("-inf")  # any press turns to who has won: nobody means another match yet
        elif press.button == "bank":
            self._obey(MenuAction.REMATCH, now_s)
        else:
            self.menu = self._start()

    def _ask_undo(self, running: MatchSession) -> None:
        running.cancel_confirmation()
        self.menu = undo_question(running.match, rolled_on_by_throwing=running.rolled_on_by_throwing)
        if self.menu is None:
            running.show_message("nothing to undo")

    def _obey(self, decision: Decision, now_s: float) -> None:
        asked, self.menu = self.menu, None
        if self.running is not None and self._obeyed_in_match(decision, self.running, now_s, asked):
            return
        if decision == MenuAction.BACK:
            pass
        elif decision == MenuAction.QUIT:
            self.over = True
        else:
            try:
                then = self._decide(decision)
            except TabletopError as error:
                self.menu = failed(str(error), asked)
            else:
                if then is None or isinstance(then, MatchSession):
                    self.begin(then)
                else:
                    self.menu = then
        if self.running is not None:
            self.running.ignore_current_dice(now_s)  # what was done with the dice meanwhile is no throw

    def _obeyed_in_match(self, decision: Decision, running: MatchSession, now_s: float, asked: Dialog | None) -> bool:
        """Carry out what is about the answers of this match; False where it is about something else.

        asked: what led to the decision.
        """
        match decision:
            case MenuAction.STAY:  # dice that came to rest meanwhile are judged now
                pass
            case MenuAction.UNDO:
                running.ignore_current_dice(now_s)
                self._ask_undo(running)
            case MenuAction.CORRECT:
                running.ignore_current_dice(now_s)
                self.menu = correct_menu(running.match, running.lay_then)
                if self.menu is None:
                    running.show_message("nothing to correct")
            case TakeBack(entries, answers):
                running.undo(entries, answers, now_s)
            case Correct(number, answer):
                running.correct(number, answer, now_s)
            case MenuAction.REAPPLY:
                if not running.reapply_lost_answer(now_s):
                    self.menu = failed(running.news[1], asked)
            case MenuAction.DISMISS:
                running.anew = None
            case _:
                return False
        return True


def _moved_text(seen: FrameResult) -> str:
    """Return what to do about a camera that was moved too far: where it was calibrated all places are off now."""
    return CAMERA_LOST if seen.reading.unit == "mm" else CAMERA_ELSEWHERE
