"""Referee a film, photographs or simulated players: process every frame in order, with its own time."""

from collections.abc import Callable, Sequence

from tabletop.core.errors import DeviceError
from tabletop.core.ports import Buttons, Camera, Frame, Press
from tabletop.input.presses import Presses
from tabletop.perception.pipeline import FrameResult, PerceptionPipeline
from tabletop.rules import Choose, Keep
from tabletop.session.match_session import MatchSession
from tabletop.session.observer import TurnRecorder

MANY_QUESTIONS = 600  # no game asks more between two throws: as many claims as thirty dice allow


def run_film(
    camera: Camera,
    watch: PerceptionPipeline,
    session: MatchSession,
    *,
    on_frame: Callable[[Frame], None],
    shown: Callable[[FrameResult], None],
    tell: Callable[[str], None],
    recorder: TurnRecorder | None = None,
    buttons: Buttons | None = None,
) -> None:
    """Referee the camera's frames until they end or the match is over.

    Before a photograph, pending keeps and choices are answered (`answer_pending`). on_frame: called with each frame
    before it is processed; shown: called afterwards with the result. tell: called with a line for users: a frame that
    was skipped, or the hint about a photograph. recorder: records each frame and its result. buttons: of simulated
    players.
    """
    presses = Presses()
    while not session.match.over:
        try:
            frame = camera.read()
        except DeviceError as error:
            tell(str(error))
            continue
        if frame is None:
            return
        on_frame(frame)
        if recorder is not None:
            recorder.begin(frame, session)
        edges = buttons.edges() if buttons is not None else ()
        seen = step(frame, watch, session, presses.feed(edges, frame.time_s))
        if recorder is not None:
            recorder.notes.add_frame(frame, seen.pixel_reading)
            recorder.turn(frame.time_s, frame, edges, session, menu=False, busy=False)
            if news := recorder.news():
                tell(news)
        if frame.at_rest and session.notices.hint:
            tell(session.notices.hint)
        shown(seen)


def step(frame: Frame, watch: PerceptionPipeline, session: MatchSession, presses: Sequence[Press] = ()) -> FrameResult:
    """Process one frame and the presses up to it.

    Raises StoreError if an event cannot be stored: a film cannot wait for the disk to have space again.
    """
    if frame.at_rest:
        answer_pending(session)
    seen = watch.process(frame, expected_dice(session))
    for press in presses:
        session.press(press, frame.time_s)
    session.on_rest(seen.rest, moving_hint=not frame.at_rest)
    session.hold_back(seen.held_back)
    if session.notices.failure is not None:
        raise session.notices.failure
    return seen


def answer_pending(session: MatchSession) -> None:
    """Answer questions until a throw is due: keep nothing or the first legal part; the first option or claim."""
    for _ in range(MANY_QUESTIONS):
        request = session.match.request
        if request.kind == "keep":
            session.give(Keep(() if () in request.legal else request.legal[0]))
        elif request.options:
            session.give(Choose(request.options[0]))
        else:
            return


def expected_dice(session: MatchSession) -> int | None:
    """Return how many dice should be in view: those due and those kept before; None if unknown."""
    request = session.match.request
    if request.kind not in ("roll", "keep") or not isinstance(request.dice, int):
        return None  # if several players throw, dice of others lie there as well
    due = request.dice
    if request.kind == "roll":
        due -= len(session.tray.memory.waiting.parts)
    return due + len(session.match.kept) if request.kind == "roll" else max(due, len(session.thrown))
