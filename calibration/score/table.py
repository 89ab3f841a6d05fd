"""The table while it is measured: what the camera sees and what is pressed come in, snapshots go out.

`ScoreTable.tick` is one turn, with the time as an argument. Real cameras are read by a thread, simulated ones by
whoever turns the loop, as in play.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from calibration.score.journal import Journal
from calibration.score.pictures import Pictures
from tabletop.config.profile import place
from tabletop.core.errors import InputError
from tabletop.core.geometry import SAME_DIE_EDGES, distance_in_edges
from tabletop.core.ports import Buttons
from tabletop.core.values import Die, Profile, Reading, Rest, Unsure
from tabletop.dialogs.scoring.dialog import Scoring
from tabletop.dialogs.scoring.pages import scoring_snapshot
from tabletop.dialogs.scoring.roll import UNSURE, Roll, Seen
from tabletop.input.presses import Presses
from tabletop.perception.pipeline import FrameResult
from tabletop.session.camera_thread import CameraThread
from tabletop.session.match.match_session import MatchSession
from tabletop.session.snapshotting import troubled
from tabletop.views.screen_care import ScreenCare
from tabletop.views.snapshot import Snapshot

HELD_STEPS = 12  # pictures on the way to a long press, as in play

Picture = NDArray[np.uint8]


class ScoreTable:
    """Asks about each roll, and writes what is confirmed.

    camera_thread: its newest frame is used. buttons: any number of pairs. state: where the measurement stands. journal:
    where rolls are written. pictures: where their pictures go, None if none is kept. profile: as the frames are read
    with. over: whether somebody has stopped, or something cannot be written. fault: what that was.
    """

    session: MatchSession | None = None  # no match is played here

    def __init__(
        self,
        camera_thread: CameraThread,
        buttons: Sequence[Buttons],
        state: Scoring,
        journal: Journal,
        pictures: Pictures | None = None,
        profile: Profile | None = None,
    ) -> None:
        self.camera_thread, self.state, self.care = camera_thread, state, ScreenCare()
        self.fault: InputError | None = None
        self._buttons, self._presses = buttons, Presses()
        self._journal, self._pictures, self._profile = journal, pictures, profile
        self._lying: tuple[object, Roll | None, Picture | None] = (
            None,
            None,
            None,
        )  # what rest, read as what, seen where
        self._asked_pixels: Picture | None = None  # the frame in which the roll that is asked about was read
        camera_thread.expect = state.dice

    @property
    def over(self) -> bool:
        """Whether the measurement has ended, for now or for good."""
        return self.state.over or self.fault is not None

    @property
    def busy(self) -> bool:
        """Whether a finger is at a button, so that the next turn should come soon."""
        return self._presses.busy

    def begin(self, session: MatchSession | None) -> None:
        """Do nothing: the measurement is there already, and no match is played."""

    def tick(self, now_s: float) -> Snapshot:
        """Process what happened up to `now_s` and return what views show."""
        edges = [edge for buttons in self._buttons for edge in buttons.edges()]
        dark = self.care.light(now_s) == "off"
        presses = self._presses.feed(edges, now_s)
        if edges:
            self.care.stir(now_s)
        if dark and edges:  # that press was made to light the screen
            self._presses.forget()
            presses = []
        for press in presses:
            self._advance(self.state.press(press))
        seen = self.camera_thread.newest
        self.care.see(seen.rest if seen else None, now_s)
        if seen is not None:
            rest = seen.rest
            newest_s = float("-inf") if rest is None else max((*rest.arrived_s, *rest.unsure_arrived_s), default=0.0)
            self._advance(self.state.see(self._roll_of(seen), newest_s, now_s))
        button, part = self._presses.felt(now_s)
        shown = scoring_snapshot(self.state)
        shown = replace(shown, reading=seen.pixel_reading if seen else None)
        if trouble := self.camera_thread.trouble_now(now_s):
            shown = troubled(shown, trouble)
        return shown if button is None else replace(shown, pressed=button, held=int(part * HELD_STEPS) / HELD_STEPS)

    def _advance(self, state: Scoring) -> None:
        """Take over a state, and write what it changes in the rolls."""
        if state is self.state:
            return
        if state.asked is not None and state.asked is self._lying[1]:
            self._asked_pixels = self._lying[2]
        elif self.state.asked is None:  # an older roll is asked about once more
            self._asked_pixels = None
        try:
            if self._pictures is not None:
                state = self._with_pictures(state, self._pictures)
            self._journal.bring_to(state.rolls)
        except InputError as error:
            self.fault = error
        self.state = state

    def _with_pictures(self, state: Scoring, pictures: Pictures) -> Scoring:
        """Keep, label or remove the picture of the roll that this state has confirmed, reopened or left out."""
        before = self.state
        if len(state.rolls) > len(before.rolls):
            *others, newest = state.rolls
            newest = self._pictured(newest, pictures)
            pictures.label(newest)
            return replace(state, rolls=(*others, newest))
        if len(state.rolls) < len(before.rolls):
            pictures.unlabel(before.rolls[-1], remove=False)
        elif state.left_out > before.left_out and before.asked is not None:
            pictures.unlabel(before.asked, remove=True)
        return state

    def _pictured(self, roll: Roll, pictures: Pictures) -> Roll:
        """Return the roll with the name of its picture, if it is one in which the place of each die is known."""
        if roll.missed or not roll.dice:
            pictures.unlabel(roll, remove=True)
            return replace(roll, picture="")
        if roll.picture or self._asked_pixels is None:
            return roll
        return replace(roll, picture=pictures.keep(self._asked_pixels))

    def _roll_of(self, seen: FrameResult) -> Roll | None:
        """Return what lies there, the same object as long as the same lies there; None while something moves."""
        rest = seen.rest
        if rest is None:
            return None
        faces = tuple(die.face for die in rest.reading.dice)
        key = faces, rest.arrived_s, rest.unsure_arrived_s
        if self._lying[0] != key or self._lying[2] is None:
            there = _in_frame(rest, seen.pixel_reading, self._profile)
            if there is not None:
                self._lying = (
                    key,
                    Roll.of(seen.frame.pixels.shape[1], seen.frame.pixels.shape[0], there),
                    seen.frame.pixels,
                )
            elif self._lying[0] != key:
                self._lying = key, _as_rested(rest), None
        return self._lying[1]


def _in_frame(rest: Rest, pixels: Reading, profile: Profile | None) -> tuple[Seen, ...] | None:
    """Return what the rest holds where this very frame shows it, in pixels; None if it does not show all of it."""
    placed = place(pixels, profile) if profile is not None else pixels
    there: list[tuple[Die | Unsure, Die | Unsure]] = [
        *zip(placed.dice, pixels.dice, strict=True),
        *zip(placed.unsure, pixels.unsure, strict=True),
    ]
    found = list[Seen]()
    things: tuple[Die | Unsure, ...] = (*rest.reading.dice, *rest.reading.unsure)
    for thing in things:
        near = min(there, key=lambda pair: distance_in_edges(pair[0], thing), default=None)
        if near is None or distance_in_edges(near[0], thing) > SAME_DIE_EDGES:
            return None
        there.remove(near)
        found.append(_seen(thing, near[1]))
    return tuple(found)


def _as_rested(rest: Rest) -> Roll:
    """Return the roll in the rest's own unit: no frame shows all of it, so no picture of it can be kept."""
    reading = rest.reading
    wide, high = reading.tray or (reading.width, reading.height)
    things: tuple[Die | Unsure, ...] = (*reading.dice, *reading.unsure)
    return Roll.of(wide, high, tuple(_seen(thing, thing) for thing in things))


def _seen(thing: Die | Unsure, at: Die | Unsure) -> Seen:
    face = thing.face if isinstance(thing, Die) else UNSURE
    return Seen(face, round(at.x, 1), round(at.y, 1), round(at.size, 1), round(getattr(at, "angle", 0.0), 1))
