"""One roll as it was read and as it truly lies. Pure."""

from dataclasses import dataclass, replace

from tabletop.core.geometry import SAME_DIE_EDGES, distance_in_edges
from tabletop.core.values import FACES
from tabletop.views.snapshot import DieInTray, TrayDrawing

UNSURE = 0  # in place of a face that was read
NO_DIE = 0  # in place of a true face
LEANS = 7  # in place of a true face: a die that lies on no face has none, and is rightly in doubt
NOT_SAID = -1  # in place of a true face that nobody has given yet
STEPS = 64  # places are drawn in 64ths of the picture


@dataclass(frozen=True, slots=True)
class Seen:
    """One thing that was reported. face: 1 to 6, or `UNSURE`. x, y, size: in the unit of its `Roll`; angle: degrees."""

    face: int
    x: float
    y: float
    size: float
    angle: float = 0.0


@dataclass(frozen=True, slots=True)
class Roll:
    """What was read of a roll, and what is true.

    width, height: of the picture, and unit of the places: pixels, unless `picture` is empty. seen: from left to right.
    true: for each of `seen` the face that is up, `LEANS` for none, `NO_DIE` where no die lies, `NOT_SAID` as long as
    nobody has said it.
    missed: the faces of dice of which nothing was reported. picture: the name of the picture that was kept, if any.
    """

    width: float
    height: float
    seen: tuple[Seen, ...]
    true: tuple[int, ...]
    missed: tuple[int, ...] = ()
    picture: str = ""

    @staticmethod
    def of(width: float, height: float, seen: tuple[Seen, ...]) -> "Roll":
        """Return a roll as it was read: sure faces count as true until somebody says otherwise."""
        ordered = tuple(sorted(seen, key=lambda thing: (thing.x, thing.y)))
        return Roll(width, height, ordered, tuple(thing.face or NOT_SAID for thing in ordered))

    @property
    def unsaid(self) -> int | None:
        """The index of the first thing whose face nobody has said, None if all are known."""
        return self.true.index(NOT_SAID) if NOT_SAID in self.true else None

    @property
    def doubtful(self) -> bool:
        """Whether something was reported as unsure."""
        return any(thing.face == UNSURE for thing in self.seen)

    @property
    def faces(self) -> tuple[int, ...]:
        """The true faces as far as they are known, sorted."""
        return tuple(sorted(face for face in (*self.true, *self.missed) if face in FACES))

    @property
    def dice(self) -> int:
        """How many dice lie there as far as it is known, those that lean among them."""
        return len(self.faces) + self.true.count(LEANS)

    @property
    def wrong(self) -> bool:
        """Whether the reading differs from the truth in anything, needless doubt included."""
        return bool(self.missed) or any(
            thing.face != (UNSURE if true == LEANS else true) or true == NO_DIE
            for thing, true in zip(self.seen, self.true, strict=True)
        )

    def saying(self, index: int, face: int) -> "Roll":
        """Return the roll with this face, or `NO_DIE`, as the truth about one of `seen`."""
        return replace(self, true=(*self.true[:index], face, *self.true[index + 1 :]))

    def missing(self, face: int) -> "Roll":
        """Return the roll with one more die of which nothing was reported."""
        return replace(self, missed=(*self.missed, face))

    def without_missed(self, index: int) -> "Roll":
        """Return the roll without one of `missed`."""
        return replace(self, missed=(*self.missed[:index], *self.missed[index + 1 :]))

    def same_places(self, other: "Roll") -> bool:
        """Return whether everything lies where it lies in the other roll."""
        return len(self.seen) == len(other.seen) and all(
            any(distance_in_edges(thing, there) < SAME_DIE_EDGES for there in other.seen) for thing in self.seen
        )

    def drawing(self, asked: int | None = None) -> TrayDrawing | None:
        """Return where everything lies, the thing asked about blinking; None for an empty tray."""
        if not self.seen:
            return None
        dice = tuple(
            DieInTray(
                round(min(max(thing.x / self.width, 0.0), 1.0) * STEPS) / STEPS,
                round(min(max(thing.y / self.height, 0.0), 1.0) * STEPS) / STEPS,
                true if true in FACES else 0,
                asked=index == asked,
            )
            for index, (thing, true) in enumerate(zip(self.seen, self.true, strict=True))
        )
        return TrayDrawing(round(self.width / self.height, 1), dice)
