"""The perception pipeline: frames in, readings and rests out. `PerceptionPipeline.process` runs the stages in order."""

from dataclasses import dataclass, replace

from tabletop.config.profile import place
from tabletop.core.message import say
from tabletop.core.ports import Frame
from tabletop.core.values import UNMOVED_EDGES, Die, Profile, Reading, Rest, Unsure, distance_in_edges
from tabletop.perception import camera_pose, filters, frame_reader, hands, settler, tray_filter
from tabletop.perception.drift import DriftWatch
from tabletop.vision import second_opinion

BLACK = say("the picture is black: is there light?")
JUST_BEFORE_S = 1e-3  # the dice in a photograph came to rest just before it was taken


@dataclass(frozen=True, slots=True)
class FrameResult:
    """A frame and its results.

    pixel_reading: in pixels of the frame, for views. reading: in mm with a profile, otherwise in pixels of the
    reference frame. rest: None while something moves. trouble: a problem that people must fix, empty if none. nudged,
    elsewhere: how many times since the start the camera was found nudged, and pointing at something else. hindrances:
    what delayed a rest. held_back: dice that have long been read without making a rest. drift: how the table differs
    from its profile, or that its dice look too small; empty if neither. unsure: those of `pixel_reading`, in the same
    order, with their places as in `reading`.
    """

    frame: Frame
    pixel_reading: Reading
    reading: Reading
    rest: Rest | None
    trouble: str = ""
    nudged: int = 0
    elsewhere: int = 0
    hindrances: tuple[settler.Hindrance, ...] = ()
    held_back: settler.HeldBack | None = None
    drift: str = ""
    unsure: tuple[Unsure, ...] = ()


class PerceptionPipeline:
    """Processes the frames of one camera: reading, hands, doubts, rests.

    read: reads one frame. profile: the table's calibration; if None, the size of the dice is estimated from the first
    readings. tipped: measures how dice are tilted, None for the built-in network. fault: why there is no profile,
    reported as `drift` until one is used.
    """

    def __init__(
        self,
        read: frame_reader.ReadFrame,
        profile: Profile | None = None,
        tipped: frame_reader.MeasureTilt | None = None,
        fault: str = "",
    ) -> None:
        self._networks = read, tipped or second_opinion.shipped_tilt().tipped
        self._next_profile: tuple[Profile | None] | None = None  # takes effect with the next frame
        self._begin(profile, fault)

    def use(self, profile: Profile | None) -> None:
        """Switch to this profile, or to none, from the next frame on, with all state reset.

        Thread-safe.
        """
        self._next_profile = (profile,)

    @property
    def profile(self) -> Profile | None:
        """The current profile, None if the tray was never calibrated."""
        return self._drift.profile

    def _begin(self, profile: Profile | None, fault: str = "") -> None:
        self._drift = DriftWatch(profile, fault)
        self._reader = frame_reader.FrameReader(*self._networks, frame_reader.DieSizeEstimator(profile))
        self._stillness = frame_reader.StillnessDetector()
        self._pose, self._sway = camera_pose.CameraPoseTracker(), camera_pose.SwayCompensator()
        self._markers = tray_filter.MarkerFilter()
        self._rested_dice: tuple[Die, ...] = ()  # of the last rest with a known pose, in the reference picture
        self._learned_s = float("-inf")  # when the newest die arrived from which something was learned
        self._forget_places()

    def process(self, frame: Frame, expect: int | None = None) -> FrameResult:
        """Process a frame. expect: a hint how many dice should be in view; None if unknown."""
        if self._next_profile is not None:
            (profile,), self._next_profile = self._next_profile, None
            self._begin(profile)
        if frame.at_rest:
            return self._process_photograph(frame, expect)
        frame, is_repeated = self._stillness.recognize(frame)
        if self._stillness.is_black:  # nothing is searched for, so no die counts as missing
            return self.nothing_seen(frame, BLACK)
        quiet_s = self._stillness.update(frame.pixels, frame.time_s, repeated=is_repeated)
        # A lost pose is measured in still frames too: a hand may have covered everything and gone again.
        if self._pose.lost_since_s is not None or not (quiet_s or is_repeated):
            self._pose.measure(frame.pixels, frame.time_s)
        raw = self._reader.read(frame, expect, quiet_s, self._pose.scale(*frame.pixels.shape[1::-1]))
        raw = self._markers.apply(frame.pixels, raw)
        self._follow_camera(frame, raw, quiet_s)
        if quiet_s or is_repeated:
            self._drift.look(frame.pixels, frame.time_s, reference=self._pose.pose is camera_pose.IDENTITY)
        seen = self._pose.to_reference(raw)
        seen = self._doubts.apply(seen, self._hands.is_covered)
        evidence, seen = self._hands.apply(frame.pixels, seen, self._pose.pose, quiet_s)
        reading = self._in_tray(self._sway.apply(seen, self._hands.held))
        rest = self._settler.feed(reading, evidence)
        if rest is not None and rest.reading.time_s == reading.time_s:  # not a rest from before a hand came
            self._learn(seen, rest, expect)
        in_frame = camera_pose.apply_to_reading(seen, camera_pose.inverse(self._pose.pose))
        moved = self._pose.times_moved, self._pose.times_elsewhere
        hindrances, held_back = self._settler.hindrances(), self._settler.held_back
        unsure = self._placed_unsure(seen)
        drift = self._drift.text or self._reader.fault
        return FrameResult(frame, in_frame, reading, rest, "", *moved, hindrances, held_back, drift, unsure)

    def _process_photograph(self, frame: Frame, expect: int | None) -> FrameResult:
        """Return the result of a photograph: everything in it is at rest, and was thrown since the frame before."""
        pixel_reading = tray_filter.without_markers(frame.pixels, self._reader.read_photograph(frame, expect))
        reading = self._in_tray(pixel_reading)
        arrived_s = reading.time_s - JUST_BEFORE_S
        rest = Rest(reading, (arrived_s,) * len(reading.dice), (arrived_s,) * len(reading.unsure))
        return FrameResult(frame, pixel_reading, reading, rest, unsure=self._placed_unsure(pixel_reading))

    def nothing_seen(self, frame: Frame, trouble: str = "") -> FrameResult:
        """Return the result of a frame in which no dice were searched for. trouble: why, for people."""
        height, width = frame.pixels.shape[:2]
        nothing = Reading(frame.time_s, width, height)
        return FrameResult(frame, nothing, nothing, None, trouble, self._pose.times_moved, self._pose.times_elsewhere)

    def _follow_camera(self, frame: Frame, raw: Reading, quiet_s: float) -> None:
        """Update the camera's pose. If it points at something else, nothing in view was thrown: forget all places."""
        movable: list[Die | Unsure] = [*raw.dice, *raw.unsure]
        self._pose.update(frame.pixels, frame.time_s, movable, quiet_s=quiet_s)
        if not self._pose.looks_elsewhere(frame.time_s, quiet_s):
            return
        if self._sees_rested_dice(raw):
            self._pose.relearn_reference(frame.pixels, frame.time_s, movable)
        elif self._pose.reset_reference(frame.pixels, frame.time_s, movable):
            self._forget_places()

    def _sees_rested_dice(self, raw: Reading) -> bool:
        """Return whether all dice of the last rest are where they were: then the camera has not moved."""
        dice = self._pose.to_reference(raw).dice
        return bool(self._rested_dice) and all(
            any(die.face == rested.face and distance_in_edges(die, rested) < UNMOVED_EDGES for die in dice)
            for rested in self._rested_dice
        )

    def _in_tray(self, pixel_reading: Reading) -> Reading:
        """Return the reading in millimetres, without what is outside the tray, if there is a profile."""
        profile = self._drift.profile
        return pixel_reading if profile is None else tray_filter.clip_to_tray(place(pixel_reading, profile), profile)

    def _placed_unsure(self, pixel_reading: Reading) -> tuple[Unsure, ...]:
        """Return what nobody can read, each where it lies, whether in the tray or not."""
        profile = self._drift.profile
        if profile is None or not pixel_reading.unsure:
            return pixel_reading.unsure
        return place(replace(pixel_reading, dice=()), profile).unsure

    def _learn(self, seen: Reading, rest: Rest, expect: int | None) -> None:
        """Feed a rest back into the earlier stages."""
        self._hands.note_rest(seen, rest, expect)
        if self._pose.lost_since_s is None:
            self._rested_dice = seen.dice
        newest_s = max(rest.arrived_s, default=self._learned_s)
        if newest_s > self._learned_s:
            self._doubts.learn_flat(seen.dice)
            self._drift.count(rest)
            self._learned_s = newest_s
        self._doubts.note_rest(rest, newest_s)

    def _forget_places(self) -> None:
        """Reset every stage that remembers places: at the start, and when the camera points at something else."""
        self._doubts, self._settler = filters.DoubtFilters(), settler.Settler()
        self._hands = hands.HandDetector(self._in_tray)
