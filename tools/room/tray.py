"""The simulated tray with mishaps: dice that lean, lie on one another, roll over the wall, or are turned by hand."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace

from tabletop.core.errors import InputError
from tabletop.simulator.physics import Area, End, Place, flat, scatter, tumble_to
from tabletop.simulator.scene import PosedDie, Viewpoint, lean_deg
from tabletop.simulator.tray import FLAT_DEG, HEIGHT_PX, NUDGE_S, SIDE_S, SIZE_PX, Piece, Tray
from tools.room.landing import LeanOn, at_die, at_wall, on_die

DROPPED_S = 0.02  # dice under a cup fall unseen
SLIDES_OFF = 8  # places tried for a die that slides off another; the nearest is used
FLOOR_PX = 2 * SIZE_PX  # a die on the floor has left the frame by this much


class MishapTray(Tray):
    """A tray in which things go wrong. Parameters: those of `Tray`."""

    _leaning = _stacked = _lost = 0

    @property
    def viewpoint(self) -> Viewpoint:
        """The camera's position over the tray's ground."""
        return self._picture.camera

    def throw(
        self,
        dice: int | None = None,
        *,
        which: Sequence[int] = (),
        faces: Sequence[int] = (),
        leaning: int = 0,
        stacked: int = 0,
        lost: int = 0,
        hand: tuple[float, float] | None = None,
    ) -> float:
        """Throw dice like `Tray.throw`, some of them badly; return when they will lie still.

        leaning: how many of them, the first ones, end up leaning on a wall or another die. stacked: how many, the next
        ones, end up lying on another. lost: how many, the last ones, roll over the wall and fall on the floor, where
        they stay until the next throw asks for them.
        """
        with self._lock:
            self._leaning, self._stacked, self._lost = leaning, stacked, lost
            try:
                return super().throw(dice, which=which, faces=faces, hand=hand)
            finally:
                self._leaning = self._stacked = self._lost = 0

    def _ends(
        self, pieces: Sequence[Piece], faces: Sequence[int], places: Sequence[Place]
    ) -> Iterator[tuple[int, End]]:
        standing = [piece for piece in self.pieces if piece.place]
        first_flat, first_lost = self._leaning + self._stacked, len(pieces) - self._lost
        # Those that lean on others come last: the others must lie somewhere.
        for at in sorted(range(len(pieces)), key=lambda at: (at < first_flat, at)):
            piece = pieces[at]
            end = End(places[at], flat(piece.look, faces[at], places[at], SIZE_PX))
            if at < self._leaning:
                end = self._leant(piece, faces[at], standing, self._motion_chance.choice(("wall", "die")))
            elif at < first_flat:
                end = self._laid_on(piece, faces[at], standing) or end
            elif at >= first_lost:
                end = End(end.place, replace(end.rest, y=_floor_y(end.rest.y)))
            yield at, end
            if at >= first_lost:
                piece.lose()
            else:
                standing.append(piece)

    def lay(self, area: Area, faces: Sequence[int], at_s: float) -> float:
        """Pick up the loose dice and place them in this area at that time, as a cup leaves them; invisible until then.

        faces: the result; empty for random.
        """
        with self._lock:
            chosen = self.thrown_next(None)
            if faces and len(faces) != len(chosen):
                raise InputError(f"expected {len(chosen)} faces for the dice under the cup, got {len(faces)}")
            drawn = list(faces) or [self._faces.randint(1, 6) for _ in chosen]
            at_s = max(at_s, self._take_up(chosen))
            places = scatter(area, len(chosen), [], SIZE_PX, self._motion_chance)
            for index, face, place in zip(chosen, drawn, places, strict=True):
                piece = self._piece(index)
                rest = flat(piece.look, face, place, SIZE_PX)
                motion = tumble_to(rest, self._hand(), at_s, at_s + DROPPED_S, self._motion_chance)
                piece.move(motion, rest, place)
            self.busy_until_s = max(self.busy_until_s, at_s + DROPPED_S)
            return self.busy_until_s

    def turn(self, index: int, face: int) -> float:
        """Turn a lying die by hand to another face; a die in the hand stays there."""
        with self._lock:
            piece = self._piece(index)
            if piece.place is None:
                return self.busy_until_s
            return self._roll_over(piece, End(piece.place, flat(piece.look, face, piece.place, SIZE_PX)))

    def lean(self, index: int, on: LeanOn = "wall") -> float:
        """Let a lying die roll over and end up leaning; on a die only if one lies flat with room beside it."""
        with self._lock:
            piece = self._piece(index)
            if piece.place is None:
                return self.busy_until_s
            others = [other for other in self.pieces if other.place and other is not piece]
            return self._roll_over(piece, self._leant(piece, self._faces.randint(1, 6), others, on))

    def stack(self, index: int) -> float:
        """Let a lying die end up on another one; a single die stays."""
        with self._lock:
            piece = self._piece(index)
            others = [other for other in self.pieces if other.place and other is not piece]
            end = self._laid_on(piece, piece.face, others) if piece.place else None
            return self._roll_over(piece, end) if end else self.busy_until_s

    def knock_off(self, index: int) -> float:
        """Let a lying die slide over the wall and fall on the floor, where it stays until a throw asks for it."""
        with self._lock:
            piece = self._piece(index)
            if piece.place is not None and piece.rest is not None:
                start_s, place = self._begin(), replace(piece.place, y=_floor_y(piece.place.y))
                self._slide(piece, End(place, flat(piece.look, piece.face, place, SIZE_PX)), start_s, SIDE_S)
                piece.lose()
            return self.busy_until_s

    def nudge(self, index: int) -> float:
        """Push a die like `Tray.nudge`; of two stacked dice, the upper one slides off."""
        with self._lock:
            piece = self._piece(index)
            if piece.place is None:
                return self.busy_until_s
            piece = next((other for other in self.pieces if _stands_on(other, piece.place)), piece)
            index, at = self.pieces.index(piece), piece.place
            if not stands(piece) or at is None:
                return super().nudge(index)
            area = self.layout.rail if self.layout.rail.holds(at.x, at.y) else self.layout.felt
            places = [scatter(area, 1, self._others(index), SIZE_PX, self._motion_chance)[0] for _ in range(SLIDES_OFF)]
            place = min(places, key=lambda other: math.hypot(other.x - at.x, other.y - at.y))
            self._carry(index, place, self._begin(), NUDGE_S, carry_px=0.0)
            return self.busy_until_s

    def pick_up(self, which: Sequence[int] = ()) -> float:
        """Take dice out of the tray into the hand: these, or all that are loose."""
        with self._lock:
            hand, start_s = self._hand(), self._begin()
            for index in which or [index for index, piece in enumerate(self.pieces) if not piece.aside]:
                self._piece(index).lift(hand, start_s, start_s + self._pace.lift_s)
                self.busy_until_s = start_s + self._pace.lift_s
            return self.busy_until_s

    def let_go(self) -> None:
        """Clear the aside marks of all dice; they stay in place."""
        with self._lock:
            for piece in self.pieces:
                piece.aside = False

    def _roll_over(self, piece: Piece, end: End) -> float:
        if piece.place is not None:
            start_s, begin = self._begin(), (piece.place.x, piece.place.y)
            motion = tumble_to(end.rest, begin, start_s, start_s + NUDGE_S, self._motion_chance)
            piece.move(motion, end.rest, end.place)
            self.busy_until_s = start_s + NUDGE_S
        return self.busy_until_s

    def _leant(self, piece: Piece, face: int, standing: Sequence[Piece], on: LeanOn) -> End:
        """Return how a die leans: on another die if `on` asks for one and there is room, else on a wall."""
        die = PosedDie(0.0, 0.0, SIZE_PX, look=piece.look)
        felt, taken = self.layout.felt, places_of(standing)
        found = at_die(felt, places_of(_flat(standing)), taken, die, face, self._motion_chance) if on == "die" else None
        return found or at_wall(felt, taken, die, face, self._motion_chance)

    def _laid_on(self, piece: Piece, face: int, standing: Sequence[Piece]) -> End | None:
        die = PosedDie(0.0, 0.0, SIZE_PX, look=piece.look)
        camera = self.viewpoint
        eye = (camera.x or 0.0, camera.y or 0.0, camera.distance_px)
        return on_die(places_of(_flat(standing)), die, face, eye, self._motion_chance)


def _floor_y(y: float) -> float:
    """Return where a die lies after leaving the frame on its side of the tray, in pixels."""
    return -FLOOR_PX if y < HEIGHT_PX / 2 else HEIGHT_PX + FLOOR_PX


def _flat(pieces: Sequence[Piece]) -> list[Piece]:
    """Return the pieces that lie flat on the felt or the rail."""
    return [piece for piece in pieces if not leans(piece) and not stands(piece)]


def places_of(pieces: Sequence[Piece]) -> list[Place]:
    """Return the places of the pieces that are not in the hand."""
    return [piece.place for piece in pieces if piece.place]


def leans(piece: Piece) -> bool:
    """Return whether it will lie on no face after its motions."""
    return piece.rest is not None and lean_deg(piece.rest) > FLAT_DEG


def stands(piece: Piece) -> bool:
    """Return whether it will lie on another die after its motions."""
    return piece.rest is not None and piece.rest.lift_px > 0


def _stands_on(piece: Piece, place: Place) -> bool:
    """Return whether it will lie on the die at that place."""
    on = piece.place
    return stands(piece) and on is not None and max(abs(on.x - place.x), abs(on.y - place.y)) < SIZE_PX / 2
