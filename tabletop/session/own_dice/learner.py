"""Learning the dice of this table in play.

When a throw is taken its dice are cut out of the frame. Once another throw was taken after it, its faces stand:
the dice become known ones. If it is taken back or corrected later, they are taken out again, or get their true faces.
What is learnt of them is computed by a thread of its own, never by those that read frames or obey buttons.
"""

from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tabletop.config.own_dice import bounded, load_own_dice, save_own_dice
from tabletop.config.profile import place
from tabletop.core.errors import InputError
from tabletop.core.geometry import distance_in_edges
from tabletop.core.message import say
from tabletop.core.values import Die, Profile, Reading, Rest, Unsure
from tabletop.perception.pipeline import FrameResult
from tabletop.session.match.match_session import MatchSession
from tabletop.session.own_dice.confirmed import LEFT_OUT, confirmed_faces, standing_throws
from tabletop.vision.classify import classifier
from tabletop.vision.decide.colour import frame_tint
from tabletop.vision.own_dice.cutting import SAME_EDGES, cut_out
from tabletop.vision.own_dice.marks import OURS
from tabletop.vision.own_dice.model import OwnDice
from tabletop.vision.own_dice.sample import Sample
from tabletop.vision.reader import read

Picture = NDArray[np.uint8]

NO_DICE = OwnDice(())


@dataclass(slots=True)
class _Seen:
    """The dice of a throw: cut out, with the faces as they were read, and the samples that they are by now."""

    dice: tuple[Sample, ...]
    faces: tuple[int, ...] = ()  # as learnt; empty: not yet, or not any more
    samples: list[Sample] = field(default_factory=list)


class DiceLearner:
    """What is known of the dice of one table, and what is being learnt.

    path: the file in which they are kept. profile: as the frames are read with. learns: whether anything new is learnt;
    what is known is used in any case. at_once: learn in the calling thread, for films, which wait. Raises InputError if
    the file cannot be used.
    """

    def __init__(self, path: Path, profile: Profile | None, *, learns: bool = True, at_once: bool = False) -> None:
        self.path, self._profile, self._learns = path, profile, learns
        self._samples = list(load_own_dice(path))
        self._model = OwnDice(self._samples)
        self._pool = None if at_once else ThreadPoolExecutor(1, "own dice")
        self._computed: Future[OwnDice] | None = None
        self._session: MatchSession | None = None
        self._known_log = 0
        self._throws: dict[int, _Seen] = {}
        self._used = self._model.used_looks
        self.learnt = 0  # dice since the table was switched on

    def read(self, frame: Picture, **hints: Any) -> Reading:  # noqa: ANN401 - those of `vision.reader.read`
        """Read a frame with what is known of the dice."""
        return read(frame, own=self._model, **hints)

    def reload(self) -> None:
        """Take over what something else has written into the file meanwhile: a calibration from the table's menu."""
        known = {sample.throw for sample in self._samples}
        with suppress(InputError):  # damaged meanwhile: what is known is written again
            self._samples += [sample for sample in load_own_dice(self.path) if sample.throw not in known]
        self._compute()

    def observe(self, session: MatchSession, seen: FrameResult | None) -> None:
        """Learn from what happened in the match since the last call. seen: the frame of that moment."""
        self._take_over(session)
        if not self._learns or (session is self._session and len(session.match.log) == self._known_log):
            return
        if session is not self._session:
            self._session, self._known_log, self._throws = session, len(session.match.log), {}
            return
        if seen is not None:
            self._cut_out(session, seen)
        self._known_log = len(session.match.log)
        self._confirm(session)

    def close(self) -> None:
        """End the thread once it has written what was learnt."""
        if self._pool is not None:
            self._pool.shutdown()

    # From throws to samples

    def _cut_out(self, session: MatchSession, seen: FrameResult) -> None:
        """Keep the dice of the throws that were taken since the last call, if this frame shows them."""
        numbers = [index for index in standing_throws(session.match) if index >= self._known_log]
        dice_at = session.history.dice_by_index
        for index in numbers[-1:]:  # an older one of the same moment is no longer in the tray
            if index in dice_at:
                thrown, since_s = dice_at[index]
                self._throws[index] = _Seen(self._dice_of(thrown, since_s, seen, f"{session.journal.number}.{index}"))

    def _dice_of(self, rest: Rest, since_s: float, seen: FrameResult, throw: str) -> tuple[Sample, ...]:
        """Return the dice of a throw as the frame shows them; none if it does not show all of them."""
        thrown = [
            die
            for die, at_s in zip(rest.reading.dice, rest.arrived_s, strict=True)
            if at_s > since_s and die.where == "tray"
        ]
        pixels = seen.pixel_reading
        placed = place(pixels, self._profile) if self._profile is not None else pixels
        there: list[tuple[Die | Unsure, Die | Unsure]] = [
            *zip(placed.dice, pixels.dice, strict=True),
            *zip(placed.unsure, pixels.unsure, strict=True),
        ]
        frame, samples = seen.frame.pixels, list[Sample]()
        tint = frame_tint(frame)
        for die in thrown:
            near = min(there, key=lambda pair: distance_in_edges(pair[0], die), default=None)
            if near is None or distance_in_edges(near[0], die) > SAME_EDGES:
                return ()
            sample = cut_out(frame, near[1], die.face, throw, tint, classifier.shipped())
            samples += [] if sample is None else [sample]
        return tuple(samples) if len(samples) == len(thrown) else ()

    def _confirm(self, session: MatchSession) -> None:
        """Bring the known dice in line with the throws that stand now."""
        standing, changed = standing_throws(session.match), False
        newest = max(standing, default=-1)
        for index, seen in self._throws.items():
            faces: tuple[int, ...] = ()
            if index in standing and index < newest and seen.dice:
                faces = confirmed_faces([sample.face for sample in seen.dice], standing[index])
            if faces != seen.faces:
                self._replace(seen, faces)
                changed = True
        if changed:
            self._samples = list(bounded(self._samples))
            self._compute()

    def _replace(self, seen: _Seen, faces: tuple[int, ...]) -> None:
        gone = {id(sample) for sample in seen.samples}
        self._samples = [sample for sample in self._samples if id(sample) not in gone]
        new = [replace(die, face=face) for die, face in zip(seen.dice, faces, strict=False) if face != LEFT_OUT]
        marks = self._model.marks
        seen.samples = [die for die in new if marks is None or marks.likenesses(die.pixels[None]).max() < OURS]
        seen.faces = faces
        self._samples += seen.samples
        self.learnt += len(seen.samples) - len(gone)

    # From samples to what is known

    def _compute(self) -> None:
        samples = tuple(self._samples)
        if self._pool is None:
            self._computed = Future()
            self._computed.set_result(self._computing(samples))
        else:
            self._computed = self._pool.submit(self._computing, samples)

    def _computing(self, samples: tuple[Sample, ...]) -> OwnDice:
        save_own_dice(samples, self.path)
        return OwnDice(samples)

    def _take_over(self, session: MatchSession) -> None:
        """Use what has been computed meanwhile, and tell people what that changes."""
        if self._computed is None or not self._computed.done():
            return
        computed, self._computed = self._computed, None
        try:
            self._model = computed.result()
        except InputError as error:  # the disk is full, or the folder is not ours: play goes on
            session.notices.show(str(error))
            return
        used = self._model.used_looks
        for look in sorted(used - self._used):
            session.notices.show(say("the {value} dice are known well now", value=look))
        self._used = used
