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

from collections import Counter
from collections.abc import Iterator, Sequence

from tabletop.core.errors import InputError
from tabletop.core.ports import ButtonName
from tabletop.simulator.physics.landing import End, flat
from tabletop.simulator.physics.motion import tumble_to
from tabletop.simulator.physics.placement import Place, nudged, on_rail, scatter
from tabletop.simulator.tray.dice import BRISK, HEIGHT_PX, IVORY, SIZE_PX, WIDTH_PX, Pace, TrayDice
from tabletop.simulator.tray.die import Piece

__all__ = ["BRISK", "HEIGHT_PX", "IVORY", "SIZE_PX", "WIDTH_PX", "Pace", "Tray"]

SIDE_S = 0.4  # to carry a die to the rail
NUDGE_S = 0.2
STAGGER_S = 0.12  # dice leave the hand within this time


class Tray(TrayDice):
    """A tray with dice, a camera above it and two buttons beside it."""

    def throw(
        self,
        dice: int | None = None,
        *,
        which: Sequence[int] = (),
        faces: Sequence[int] = (),
        hand: tuple[float, float] | None = None,
    ) -> float:
        """Pick dice up and throw them; returns when they will lie.

        dice: how many: the loose ones (those not needed are taken into the hand), and if they do not suffice, those
        set aside too. None: all loose ones, or all dice if none is loose. which: exactly these instead, by index;
        all others are left alone. faces: what they show, instead of chance. hand: where in the frame they are thrown
        from; None: from outside.
        """
        with self._lock:
            chosen = sorted(set(which)) or self._chosen(dice)
            if faces and len(faces) != len(chosen):
                raise InputError(f"expected {len(chosen)} faces for the dice thrown, got {len(faces)}")
            drawn = list(faces) or [self._faces.randint(1, 6) for _ in chosen]
            pieces = [self._piece(index) for index in chosen]
            fly_s = self._take_up(chosen if which else self.thrown_next(dice))
            taken = [piece.place for piece in self.pieces if piece.place]
            places = scatter(self.layout.felt, len(pieces), taken, SIZE_PX, self._motion_chance)
            hand = hand or self._hand()
            times = []
            for _ in pieces:
                start_s = fly_s + self._motion_chance.uniform(0.0, STAGGER_S)
                times.append((start_s, start_s + self._motion_chance.uniform(*self._pace.tumble_s)))
            for at, end in self._ends(pieces, drawn, places):
                motion = tumble_to(end.rest, hand, *times[at], self._motion_chance)
                pieces[at].move(motion, end.rest, end.place)
                self._busy_s = max(self._busy_s, times[at][1])
            return self._busy_s

    def _ends(
        self, pieces: Sequence[Piece], faces: Sequence[int], places: Sequence[Place]
    ) -> Iterator[tuple[int, End]]:
        """Yield which die comes to rest next, by its number among the thrown ones, and how it lies."""
        for at, (piece, face, place) in enumerate(zip(pieces, faces, places, strict=True)):
            yield at, End(place, flat(piece.look, face, place, SIZE_PX))

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
            place = self._piece(index).place
            if place is not None:
                narrow = self.layout.rail.holds(place.x, place.y)
                area = self.layout.rail if narrow else self.layout.felt
                place = nudged(area, place, self._others(index), SIZE_PX, self._motion_chance, narrow=narrow)
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
