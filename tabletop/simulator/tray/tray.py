"""A simulated dice tray: real enough for the reader, fair, and with the truth of every frame.

The recipe:

    tray = Tray(dice=5, chance=Random(1))
    tray.throw()
    while tray.busy:
        frame = tray.camera.read()
    tray.truth().faces              # what the reader should say of that frame

Its verbs are things that happen in the world. Each begins when those before it are over and returns the time when
it will be over; the tray's time advances with the frames of its camera.
"""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from tabletop.core.errors import InputError
from tabletop.core.ports import ButtonName
from tabletop.simulator.physics.landing import End, LeanOn, flat
from tabletop.simulator.physics.motion import tumble_to
from tabletop.simulator.physics.placement import Area, nudged, on_rail, scatter
from tabletop.simulator.tray.dice import BRISK, HEIGHT_PX, IVORY, SIZE_PX, WIDTH_PX, Pace, TrayDice, floor_y, places_of

__all__ = ["BRISK", "HEIGHT_PX", "IVORY", "SIZE_PX", "WIDTH_PX", "Pace", "Tray"]

SIDE_S = 0.4  # to carry a die to the rail
NUDGE_S = 0.2
DROPPED_S = 0.02  # dice that nobody sees fall
STAGGER_S = 0.12  # dice leave the hand within this time
SLIDES_OFF = 8  # places drawn for a die that slides off another one, of which it takes the nearest


class Tray(TrayDice):
    """A tray with dice, a camera above it and two buttons beside it."""

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
        """Pick dice up and throw them; returns when they will lie.

        dice: how many: the loose ones (those not needed are taken into the hand), and if they do not suffice, those
        set aside too. None: all loose ones, or all dice if none is loose. which: exactly these instead, by index;
        all others are left alone. faces: what they show, instead of chance.
        leaning: how many of them, the first ones, come to lean on a wall or another die; stacked: how many, the next
        ones, come to lie on another. lost: how many, the last ones, roll over the wall and fall on the floor: they
        stay there until the next throw asks for them. hand: where in the frame they are thrown from; None: from
        outside.
        """
        with self._lock:
            chosen = sorted(set(which)) or self._chosen(dice)
            if faces and len(faces) != len(chosen):
                raise InputError(f"expected {len(chosen)} faces for the dice thrown, got {len(faces)}")
            drawn = list(faces) or [self._faces.randint(1, 6) for _ in chosen]
            pieces = [self._piece(index) for index in chosen]
            fly_s = self._take_up(chosen if which else self.thrown_next(dice))
            standing = [piece for piece in self.pieces if piece.place]
            places = scatter(self.layout.felt, len(pieces), places_of(standing), SIZE_PX, self._motion_chance)
            hand = hand or self._hand()
            times = []
            for _ in pieces:
                start_s = fly_s + self._motion_chance.uniform(0.0, STAGGER_S)
                times.append((start_s, start_s + self._motion_chance.uniform(*self._pace.tumble_s)))
            first_lost = len(pieces) - lost
            # Those that lean on others come last: the others must lie somewhere.
            for at in sorted(range(len(pieces)), key=lambda at: (at < leaning + stacked, at)):
                piece = pieces[at]
                end = End(places[at], flat(piece.look, drawn[at], places[at], SIZE_PX))
                if at < leaning:
                    end = self._leaning(piece, drawn[at], standing, self._motion_chance.choice(("wall", "die")))
                elif at < leaning + stacked:
                    end = self._stacked(piece, drawn[at], standing) or end
                elif at >= first_lost:
                    end = End(end.place, replace(end.rest, y=floor_y(end.rest.y)))
                piece.move(tumble_to(end.rest, hand, *times[at], self._motion_chance), end.rest, end.place)
                if at >= first_lost:
                    piece.lose()
                else:
                    standing.append(piece)
                self._busy_s = max(self._busy_s, times[at][1])
            return self._busy_s

    def lay(self, area: Area, faces: Sequence[int], at_s: float) -> float:
        """Take the loose dice up and let them lie in this area at that time, as a cup leaves them; unseen until then.

        faces: what they show; empty for chance.
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
            self._busy_s = max(self._busy_s, at_s + DROPPED_S)
            return self._busy_s

    def turn(self, index: int, face: int) -> float:
        """Turn a lying die by hand so that another face is up; a die in the hand stays there."""
        with self._lock:
            piece = self._piece(index)
            if piece.place is None:
                return self._busy_s
            start_s = self._begin()
            return self._roll_over(
                piece, End(piece.place, flat(piece.look, face, piece.place, SIZE_PX)), start_s, NUDGE_S
            )

    def lean(self, index: int, on: LeanOn = "wall") -> float:
        """Let a lying die roll over and come to lean; on a die only if one lies flat with room beside it."""
        with self._lock:
            piece = self._piece(index)
            if piece.place is None:
                return self._busy_s
            others = [other for other in self.pieces if other.place and other is not piece]
            return self._roll_over(
                piece, self._leaning(piece, self._faces.randint(1, 6), others, on), self._begin(), NUDGE_S
            )

    def stack(self, index: int) -> float:
        """Let a lying die come to lie on another one; a single die stays."""
        with self._lock:
            piece = self._piece(index)
            others = [other for other in self.pieces if other.place and other is not piece]
            end = self._stacked(piece, piece.face, others) if piece.place else None
            return self._roll_over(piece, end, self._begin(), NUDGE_S) if end else self._busy_s

    def knock_off(self, index: int) -> float:
        """Let a lying die slide over the wall and fall on the floor, where it stays until a throw asks for it."""
        with self._lock:
            piece = self._piece(index)
            if piece.place is not None and piece.rest is not None:
                start_s, place = self._begin(), replace(piece.place, y=floor_y(piece.place.y))
                self._slide(piece, End(place, replace(flat(piece.look, piece.face, place, SIZE_PX))), start_s, SIDE_S)
                piece.lose()
            return self._busy_s

    def wait(self, seconds: float) -> float:
        """Let nothing happen for this long after what was begun; returns when that is over."""
        with self._lock:
            self._busy_s = self._begin() + seconds
            return self._busy_s

    def set_aside(self, which: Sequence[int], *, leave: bool = False) -> float:
        """Keep dice, by index: carry them to the rail, or leave them where they lie; later throws spare them.

        If the rail is full, they are left lying. Dice in the hand and those already aside are ignored.
        """
        with self._lock:
            start_s = self._begin()
            for index in which:
                piece = self._piece(index)
                if piece.aside or piece.place is None:
                    continue
                piece.aside = True
                place = None if leave else on_rail(self.layout.rail, self._others(index), SIZE_PX, self._motion_chance)
                if place is not None:
                    self._carry(index, place, start_s, SIDE_S)
            return self._busy_s

    def sort_out(self, faces: Sequence[int], *, leave: bool = False) -> float:
        """Have exactly these faces aside: put other dice back, and keep loose ones, as `set_aside` does.

        Nothing moves if they do not all lie there.
        """
        with self._lock:
            missing = Counter(faces)
            if missing - Counter(self.lying_faces):
                return self._busy_s
            back, which = list[int](), list[int]()
            for index, face in self.aside:
                if missing[face]:
                    missing[face] -= 1
                else:
                    back.append(index)
            self.take_back(back)
            for index, piece in enumerate(self.pieces):
                if piece.place and not piece.aside and missing[piece.face]:
                    missing[piece.face] -= 1
                    which.append(index)
            return self.set_aside(which, leave=leave)

    def let_go(self) -> None:
        """No longer count any die as set aside; all stay where they lie."""
        with self._lock:
            for piece in self.pieces:
                piece.aside = False

    def take_back(self, which: Sequence[int]) -> float:
        """Put dice that were set aside back among the loose ones, on the felt."""
        with self._lock:
            start_s = self._begin()
            for index in which:
                piece = self._piece(index)
                if not piece.aside or piece.place is None:
                    continue
                piece.aside = False
                if self.layout.rail.holds(piece.place.x, piece.place.y):
                    place = scatter(self.layout.felt, 1, self._others(index), SIZE_PX, self._motion_chance)[0]
                    self._carry(index, place, start_s, SIDE_S)
            return self._busy_s

    def nudge(self, index: int) -> float:
        """Push a die a little and turn it; its face stays up. A die in the hand stays there."""
        with self._lock:
            piece = self._piece(index)
            if piece.place is None:
                return self._busy_s
            piece = next((other for other in self.pieces if other.stands_on(piece.place, SIZE_PX)), piece)
            index, at = self.pieces.index(piece), piece.place
            assert at is not None  # noqa: S101 - what stands on something lies there
            narrow = self.layout.rail.holds(at.x, at.y)
            area = self.layout.rail if narrow else self.layout.felt
            if piece.stands:  # it slides off the other one
                places = [
                    scatter(area, 1, self._others(index), SIZE_PX, self._motion_chance)[0] for _ in range(SLIDES_OFF)
                ]
                place = min(places, key=lambda other: math.hypot(other.x - at.x, other.y - at.y))
            else:
                place = nudged(area, at, self._others(index), SIZE_PX, self._motion_chance, narrow=narrow)
            self._carry(index, place, self._begin(), NUDGE_S, carry_px=0.0)
            return self._busy_s

    def pick_up(self, which: Sequence[int] = ()) -> float:
        """Take dice out of the tray into the hand: these, or all that are loose."""
        with self._lock:
            chosen = list(which) or [index for index, piece in enumerate(self.pieces) if not piece.aside]
            hand = self._hand()
            start_s = self._begin()
            for index in chosen:
                self._piece(index).lift(hand, start_s, start_s + self._pace.lift_s)
                self._busy_s = start_s + self._pace.lift_s
            return self._busy_s

    def press(self, button: ButtonName, *, long: bool = False) -> float:
        """Press a button, with all the chatter of its contact; returns when it will be up again."""
        return self.buttons.press(button, long=long)
