"""Measure accuracy over the first throws, without and with a profile: `python -m tools.scoring.first_throws`.

Each set-up is a random simulated tray: its dice, cloth, light and camera, the camera's angle, and the size of the dice
in its picture. Five dice are thrown five times. Two tables that have just been switched on watch the same frames, one
of them with the profile of that tray, through the pipeline of play. The same seed gives the same figures.
"""

import argparse
import json
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from math import radians, tan
from random import Random
from statistics import median, quantiles
from typing import Any, Literal

from calibration.corners import profile_from
from tabletop.config import plane
from tabletop.core.values import SAME_DIE_EDGES, Profile, Quad, point_distance_in_edges
from tabletop.perception.pipeline import FrameResult, PerceptionPipeline
from tabletop.simulator.physics import Area
from tabletop.simulator.tray import BRISK, SIZE_PX
from tabletop.vision.reader import read
from tools.room.oblique import ObliqueCamera, view_of
from tools.room.room import any_room
from tools.room.world import RoomWorld
from tools.scoring.figures import Share

THROWS, DICE = 5, 5
FPS = 10.0
WATCH_S = 3.0  # after the dice lie still: by then the table has taken the throw, or shows a hint
EMPTY_S = 0.5  # the table sees its empty tray before anybody throws
TILTS_DEG = (0.0, 12.0, 25.0)  # off the vertical, in turn
DIE_PX = (32.0, 90.0)  # in the middle of the picture: a wide picture of a large tray, a close one of a small one
DIE_MM = 16.0

Outcome = Literal["right", "wrong", "asked"]


@dataclass(frozen=True, slots=True)
class SetUp:
    """A simulated tray with its camera and its true profile."""

    world: RoomWorld
    camera: ObliqueCamera
    profile: Profile
    tilt_deg: float


@dataclass(frozen=True, slots=True)
class Throw:
    """The reading of one throw. outcome: taken correctly, taken wrongly, or not taken. wait_s: from rest to taken.

    right, wrong, unsure: final numbers of dice; the remaining ones were not seen. number: from 1.
    """

    number: int
    outcome: Outcome
    wait_s: float | None
    right: int
    wrong: int
    unsure: int


def set_up(chance: Random, tilt_deg: float, die_range_px: tuple[float, float] = DIE_PX) -> SetUp:
    """Return a random set-up with a camera at this angle from the vertical and dice in this range of sizes."""
    room = any_room(chance)
    room = replace(room, aside_px=room.camera_px * tan(radians(tilt_deg)))
    world = RoomWorld(DICE, chance=chance, room=room, pace=BRISK, fps=FPS)
    least_px, most_px = die_range_px
    die_px = least_px * (most_px / least_px) ** chance.random()
    view, size_px = view_of(world.tray.viewpoint, die_px / SIZE_PX)
    camera = ObliqueCamera(world.camera, view, size_px)
    felt, rail = (_seen(area, camera) for area in (world.tray.layout.felt, world.tray.layout.rail))
    mm = DIE_MM / SIZE_PX
    area = world.tray.layout.felt
    tray_mm = (area.right - area.left) * mm, (area.bottom - area.top) * mm
    return SetUp(world, camera, profile_from(size_px, felt, tray_mm, DIE_MM, rail), tilt_deg)


def _seen(area: Area, camera: ObliqueCamera) -> Quad:
    corners = ((area.left, area.top), (area.right, area.top), (area.right, area.bottom), (area.left, area.bottom))
    first, second, third, fourth = (camera.point(float(x), float(y)) for x, y in corners)
    return first, second, third, fourth


class _Watcher:
    """A table that has just been switched on. profile: None for none."""

    def __init__(self, profile: Profile | None) -> None:
        self.throws: list[Throw] = []
        self._profile, self._pipeline = profile, PerceptionPipeline(read, profile)
        self._taken: tuple[tuple[int, ...], float] | None = None
        self._newest: FrameResult | None = None

    def see(self, set_up: SetUp, result: FrameResult, since_s: float) -> None:
        """Take the throw as a table does: once as many dice as are due have come to lie and none is in doubt."""
        self._newest, rest = result, result.rest
        new = rest is not None and len(rest.arrived_s) == DICE and min(rest.arrived_s) > since_s
        if rest is not None and new and not rest.reading.unsure and self._taken is None:
            faces = tuple(sorted(die.face for die in rest.reading.dice))
            self._taken = faces, result.frame.time_s - set_up.world.tray.busy_until_s

    def step(self, set_up: SetUp, frame: Any, since_s: float) -> None:  # noqa: ANN401 - a Frame
        """Read a frame."""
        self.see(set_up, self._pipeline.process(frame, DICE), since_s)

    def judge(self, set_up: SetUp, number: int) -> None:
        """Compare what was taken, and what is read in the end, with the truth."""
        assert self._newest is not None
        truth = set_up.world.truth()
        outcome: Outcome = "asked" if self._taken is None else "right" if self._taken[0] == truth.faces else "wrong"
        reading = self._newest.rest.reading if self._newest.rest is not None else self._newest.reading
        counts = {"right": 0, "wrong": 0, "unsure": 0}
        for die in truth.dice:
            x, y = set_up.camera.point(die.x, die.y)
            if self._profile is not None:
                x, y = plane.to_plane(self._profile.homography, (x, y))
            face = next(
                (there.face for there in reading.dice if point_distance_in_edges(x, y, there) < SAME_DIE_EDGES), None
            )
            if face is not None:
                counts["right" if face == die.face else "wrong"] += 1
            elif any(point_distance_in_edges(x, y, there) < SAME_DIE_EDGES for there in reading.unsure):
                counts["unsure"] += 1
        self.throws.append(Throw(number, outcome, self._taken[1] if self._taken else None, **counts))
        self._taken = None


def watched(set_up: SetUp) -> tuple[list[Throw], list[Throw]]:
    """Return the first throws of a set-up as read by a table without a profile, and by one with it."""
    plain, calibrated = _Watcher(None), _Watcher(set_up.profile)
    world = set_up.world
    for number in range(THROWS + 1):
        since_s = world.now_s
        end_s = since_s + EMPTY_S if number == 0 else world.throw() + WATCH_S
        while world.now_s < end_s:
            frame = set_up.camera.read()
            if frame is None:
                break
            for watcher in (plain, calibrated):
                watcher.step(set_up, frame, since_s)
        if number:
            for watcher in (plain, calibrated):
                watcher.judge(set_up, number)
    return plain.throws, calibrated.throws


@dataclass(frozen=True, slots=True)
class Row:
    """The results for one throw number, over all set-ups.

    wait_s: median and quartiles, None if fewer than two were taken.
    """

    number: int
    taken: Share
    silent: Share
    dice: Share
    unsure: Share
    wait_s: tuple[float, float, float] | None


def rows(throws: Sequence[Throw]) -> list[Row]:
    """Return a row for each throw number."""
    made = []
    for number in range(1, THROWS + 1):
        same = [throw for throw in throws if throw.number == number]
        waits = [throw.wait_s for throw in same if throw.wait_s is not None]
        low, _, high = quantiles(waits, n=4) if len(waits) > 1 else (0.0, 0.0, 0.0)
        made.append(
            Row(
                number,
                Share(sum(throw.outcome == "right" for throw in same), len(same)),
                Share(sum(throw.outcome == "wrong" for throw in same), len(same)),
                Share(sum(throw.right for throw in same), DICE * len(same)),
                Share(sum(throw.unsure for throw in same), DICE * len(same)),
                (median(waits), low, high) if len(waits) > 1 else None,
            )
        )
    return made


def table(name: str, made: Iterable[Row]) -> str:
    """Return the rows as a Markdown table."""
    lines = [f"| {name} | taken rightly | wrong in silence | dice right | dice unsure | seconds until taken |"]
    lines.append("|---|---|---|---|---|---|")
    for row in made:
        wait = "-" if row.wait_s is None else "{:.1f} ({:.1f} to {:.1f})".format(*row.wait_s)
        shares = " | ".join(_short(share) for share in (row.taken, row.silent, row.dice, row.unsure))
        lines.append(f"| {row.number} | {shares} | {wait} |")
    return "\n".join(lines)


def _short(share: Share) -> str:
    low, high = (100 * side for side in share.interval)
    return f"{100 * share.count / max(share.of, 1):.1f} % ({low:.0f} to {high:.0f})"


def main() -> int:
    """Run both tables on random set-ups, and print the results."""
    parser = argparse.ArgumentParser(prog="python -m tools.scoring.first_throws", description=__doc__)
    parser.add_argument("--set-ups", type=int, default=60, help="how many simulated trays (default: 60)")
    parser.add_argument("--seed", type=int, default=1, help="what they are drawn with (default: 1)")
    parser.add_argument("--die-px", type=float, nargs=2, default=DIE_PX, metavar=("LEAST", "MOST"), help="size of dice")
    parser.add_argument("--each", action="store_true", help="also one JSON line per throw that was not taken rightly")
    options = parser.parse_args()
    throws: dict[str, list[Throw]] = {"plain": [], "profile": []}
    for number in range(options.set_ups):
        chance = Random(f"{options.seed}.{number}")
        drawn = set_up(chance, TILTS_DEG[number % len(TILTS_DEG)], tuple(options.die_px))
        for name, found in zip(throws, watched(drawn), strict=True):
            throws[name] += found
            for throw in found:
                if options.each and throw.outcome != "right":
                    told = {"set_up": number, "tilt": drawn.tilt_deg, "table": name, "throw": throw.number}
                    faults = {"outcome": throw.outcome, "wrong": throw.wrong, "unsure": throw.unsure}
                    sys.stdout.write(json.dumps({**told, **faults, "right": throw.right}) + "\n")
    sys.stdout.write(table("without, throw", rows(throws["plain"])) + "\n\n")
    sys.stdout.write(table("with a profile, throw", rows(throws["profile"])) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
