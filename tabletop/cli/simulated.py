"""A whole match of simulated players, in simulated time: the same eye, the same buttons, the same loop."""

from collections.abc import Callable
from random import Random

from tabletop.cli.simulated_tray import profile_of
from tabletop.loop.recorded import expected_dice
from tabletop.loop.running import Running
from tabletop.loop.showing import snapshot
from tabletop.loop.watching import Watch
from tabletop.ports import Camera, Frame
from tabletop.presses import Presses
from tabletop.simulator.players import SimulatedPlayers
from tabletop.simulator.tray import BRISK, Tray
from tabletop.vision.eye import read

FPS = 10.0  # the least that the table must cope with; simulated time is paid for by the frame


def play_simulated(
    running: Running, chance: Random, begun: Callable[[Frame], None], recorded: Callable[[Camera], Camera]
) -> None:
    """Let simulated players play the match to its end.

    chance: draws the dice and the players' whims. begun: called with each frame before anything is made of it.
    recorded: wraps the camera, to keep its film.
    """
    tray = Tray(running.match.game.dice, chance=chance, pace=BRISK, fps=FPS)
    players = SimulatedPlayers(tray, Random(chance.getrandbits(64)), rail=True)  # noqa: S311 - whims of players
    watch, presses, camera = Watch(read, profile_of(tray)), Presses(), recorded(tray.camera)
    try:
        while not running.match.over and (frame := camera.read()) is not None:
            begun(frame)
            seen = watch.look(frame, expected_dice(running))
            for press in presses.feed(tray.buttons.edges(), frame.time_s):
                running.press(press, frame.time_s)
            running.see(seen.rest)
            players.act(running.match, snapshot(running, seen.pixel_reading))
    finally:
        camera.close()
