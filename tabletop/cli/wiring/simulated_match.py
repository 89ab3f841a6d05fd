"""A whole match of simulated players, in simulated time: the same reader, the same buttons, the same loop."""

from collections.abc import Callable
from contextlib import AbstractContextManager, ExitStack
from random import Random

from tabletop.core.ports import Camera, Frame
from tabletop.core.values import Profile
from tabletop.dialogs.setup_state import TOGETHER
from tabletop.input.presses import Presses
from tabletop.perception.pipeline import FrameResult, PerceptionPipeline
from tabletop.session.film_loop import step
from tabletop.session.match_session import MatchSession
from tabletop.session.observer import TurnRecorder
from tabletop.session.snapshotting import snapshot
from tabletop.simulator.players import SimulatedPlayers, bring_own_dice
from tabletop.simulator.tray import BRISK, Tray, profile_of
from tabletop.vision.reader import read

FPS = 10.0  # the least that the table must cope with; simulated time is paid for by the frame


def play_simulated(
    session: MatchSession,
    chance: Random,
    *,
    on_frame: Callable[[Frame], None],
    shown: Callable[[FrameResult], None],
    filmed: Callable[[Camera], Camera],
    recorded: Callable[[Profile], AbstractContextManager[TurnRecorder | None]],
) -> None:
    """Let simulated players play the match to its end.

    chance: draws the dice and the players' whims. on_frame: called with each frame before it is processed; shown:
    called after. filmed: wraps the camera, to keep its film. recorded: opens the recorder for the tray with this
    profile, or gives None.
    """
    tray = Tray(session.match.game.dice, chance=chance, pace=BRISK, fps=FPS)
    if session.match.options.get(TOGETHER):
        bring_own_dice(tray, session.match)
    players = SimulatedPlayers(tray, Random(chance.getrandbits(64)), rail=True)  # noqa: S311 - whims of players
    profile, presses, camera = profile_of(tray), Presses(), filmed(tray.camera)
    watch = PerceptionPipeline(read, profile)
    with ExitStack() as open_things:
        open_things.callback(camera.close)
        recorder = open_things.enter_context(recorded(profile))
        while not session.match.over and (frame := camera.read()) is not None:
            on_frame(frame)
            if recorder is not None:
                recorder.begin(frame, session)
            edges = tray.buttons.edges()
            seen = step(frame, watch, session, presses.feed(edges, frame.time_s))
            if recorder is not None:
                recorder.notes.add_frame(frame, seen.pixel_reading)
                recorder.turn(frame.time_s, frame, edges, session, menu=False, busy=False)
            shown(seen)
            players.act(session.match, snapshot(session, seen.pixel_reading))
