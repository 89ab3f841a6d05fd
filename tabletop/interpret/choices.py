"""The choices that HOLD steps through: a row of answers, possibly followed by groups or die-by-die questions. Pure.

HOLD moves to the next stop of a row; after the last comes the first again, in a group first "back". BANK takes an
answer, opens a group, goes back, or keeps the die in question. A path records the position: the index in the row, then
inside a group the index in its row, or for each die whether it is kept.

Up to eight answers make one row. If there are more, the few most likely come first. After them parts of a hand are
asked die by die, and other answers are grouped, with smaller groups farther back: HOLDs to the group, BANK, HOLDs to
the answer and BANK are eight presses at most.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby, pairwise

from tabletop.core.message import join, say
from tabletop.rules import Choose, Keep, Request, faces_text

Faces = tuple[int, ...]
Path = tuple[int, ...]

START: Path = (0,)
LEAVE, KEEP = 0, 1  # a path's entry for a die


@dataclass(frozen=True, slots=True)
class Take:
    """An answer. label: for users, "keep 3 3" or "full house 25"; name: short form for ranges, "full house"."""

    label: str
    answer: Keep | Choose
    name: str


@dataclass(frozen=True, slots=True)
class Group:
    """Answers that share one stop of a row. label: for users, "ones to fours"."""

    label: str
    row: "Row"

    @property
    def name(self) -> str:
        """The group's name as it appears in a range, such as "ones to fours"."""
        return self.label


@dataclass(frozen=True, slots=True)
class Back:
    """The way out of a group, after its last answer."""


@dataclass(frozen=True, slots=True)
class AskedDie:
    """The question whether one die is kept. kept: the dice kept so far, sorted.

    leave, keep: the stops after HOLD and BANK.
    """

    face: int
    kept: Faces
    leave: "AskedDie | Take"
    keep: "AskedDie | Take"


Stop = Take | Group | Back | AskedDie
Row = tuple[Take | Group | AskedDie, ...]


def stop_at(row: Row, path: Path) -> Stop:
    """Return the choice at a path."""
    at, *deeper = path
    if at == len(row):
        return Back()
    stop: Stop = row[at]
    if isinstance(stop, Group):
        return stop_at(stop.row, tuple(deeper)) if deeper else stop
    for kept in deeper:
        if isinstance(stop, AskedDie):
            stop = stop.keep if kept else stop.leave
    return stop


def after_hold(row: Row, path: Path, *, inside: bool = False) -> Path:
    """Return the path after HOLD. inside: the row is a group's, so "back" follows its last answer."""
    at, *deeper = path
    stop = row[at] if at < len(row) else Back()
    if isinstance(stop, Group) and deeper:
        return (at, *after_hold(stop.row, tuple(deeper), inside=True))
    if isinstance(stop_at(row, path), AskedDie):
        return (*path, LEAVE)
    return ((at + 1) % (len(row) + inside),)


def after_bank(row: Row, path: Path) -> Path:
    """Return the path after BANK; unchanged if it takes an answer."""
    match stop_at(row, path):
        case Group():
            return (*path, *START)
        case Back():
            return path[:-1]
        case AskedDie():
            return (*path, KEEP)
        case Take():
            return path


MOST_PRESSES = 8  # DESIGN.md: "Any decision is within 8 presses"
MOST_LIKELY = 3  # answers before groups or dice, at most: more would hide that there are others
FEW_GROUPS = 3  # with more groups than this, fewer answers come before them
KNOWN_ROWS = 64  # a keep is evaluated with each frame and press; there is one at a time


@dataclass(frozen=True, slots=True)
class Class:
    """A class of related answers, in this order.

    name: describes all of them; parts of them add a range, "for 5 points: ones to fours". Empty if the answers share
    only their position in the game's order.
    """

    takes: tuple[Take | Group, ...]
    name: str = ""


@lru_cache(maxsize=KNOWN_ROWS)
def keeps(legal: tuple[Faces, ...], aside: Faces | None) -> Row:
    """Return the row of a keep. legal: best first, never empty. aside: the dice seen set aside; they come first."""
    seen = (aside,) if aside is not None and aside in legal else ()
    if len(legal) <= MOST_PRESSES:
        return tuple(map(_keep, dict.fromkeys((*seen, *legal))))
    likely = tuple(dict.fromkeys((*seen, legal[0], *_alike(legal), *legal)))
    dice = _die_by_die((), _most_of_each(legal), legal)
    before = min(MOST_LIKELY, MOST_PRESSES - 1 - _questions(dice))
    if before < 1 and len(legal) <= _room(MOST_PRESSES):  # so many dice that the questions would be too many
        by_size = groupby(sorted(likely[1:], key=len, reverse=True), key=len)
        classes = [_of_size(size, tuple(map(_keep, parts))) for size, parts in by_size]
        return (_keep(likely[0]), *_grouped(classes, MOST_PRESSES - 1))
    return (*map(_keep, likely[: max(before, 1)]), dice)


def best_first(request: Request) -> tuple[str, ...]:
    """Return the options of a choice, highest points first, otherwise in the game's order."""
    return _best_first(request.options, request.gives)


def _best_first(options: tuple[str, ...], gives: Mapping[str, int]) -> tuple[str, ...]:
    return tuple(sorted(options, key=lambda option: -gives.get(option, 0)))


def choices(request: Request) -> Row:
    """Return the row of a choice."""
    return _choices(request.options, tuple(request.gives.items()))


@lru_cache(maxsize=KNOWN_ROWS)
def _choices(options: tuple[str, ...], points: tuple[tuple[str, int], ...]) -> Row:
    gives = dict(points)
    best = _best_first(options, gives)
    takes = {option: Take(_option_label(option, gives.get(option)), Choose(option), option) for option in options}
    if len(options) <= MOST_PRESSES:
        return tuple(takes[option] for option in best)
    layouts = [_likely_and_groups(best[:before], takes, gives) for before in range(MOST_LIKELY, 0, -1)]
    short = [row for row in layouts if _farthest(row) <= MOST_PRESSES]
    two_steps = [row for row in short if not any(_groups(group.row) for group in _groups(row))]
    clear = [row for row in two_steps if len(_groups(row)) <= FEW_GROUPS]
    return (clear or two_steps or short or layouts)[0]


def claims(request: Request) -> Row:
    """Return the row of a claim: the lowest first, which BANK takes at once. Groups are opened in a second step.

    The nearest groups are listed directly; farther ones, if there are many, are nested in groups.
    """
    return _claims(request.options, tuple(request.groups.items()))


@lru_cache(maxsize=KNOWN_ROWS)
def _claims(options: tuple[str, ...], groups: tuple[tuple[str, tuple[str, ...]], ...]) -> Row:
    takes = {claim: _claim(claim) for claim in options}
    if len(takes) <= MOST_PRESSES:
        return tuple(takes.values())
    lowest = options[0]
    if not groups:
        rows = [_likely_and_groups(options[:near], takes, {}) for near in range(MOST_LIKELY, 0, -1)]
        return next((row for row in rows if _farthest(row) <= MOST_PRESSES), rows[-1])
    own = [(name, tuple(claim for claim in members if claim != lowest)) for name, members in groups]
    stops = [_claims_of(name, members) for name, members in own if members]
    if len(stops) < MOST_PRESSES:
        return (_claim(lowest), *stops)
    near, far = stops[:MOST_LIKELY], Class(tuple(stops[MOST_LIKELY:]))
    presses = MOST_PRESSES - 1 - len(near)
    while _room(presses) < len(far.takes):  # a large jump may take more presses
        presses += 1
    return (_claim(lowest), *near, *_grouped([far], presses))


def _claim(claim: str) -> Take:
    return Take(claim, Choose(claim), claim)


def _claims_of(name: str, claims: tuple[str, ...]) -> Take | Group:
    return _claim(claims[0]) if len(claims) == 1 else Group(name, tuple(map(_claim, claims)))


# Die by die


def _die_by_die(kept: Faces, left: Faces, legal: tuple[Faces, ...]) -> AskedDie | Take:
    """Ask about the first of the dice left, unless the legal parts that begin with `kept` leave no choice.

    legal: all that may still come of it: where one of several equal dice is left, the others are not asked about.
    """
    if len(legal) == 1:
        return _keep(legal[0])
    face, others = left[0], left[1:]
    with_it = tuple(part for part in legal if part.count(face) > kept.count(face))
    without = tuple(part for part in legal if part.count(face) == kept.count(face))
    if not with_it:
        return _die_by_die(kept, others, without)
    if not without:
        return _die_by_die((*kept, face), others, with_it)
    leave, keep = _die_by_die(kept, others, without), _die_by_die((*kept, face), others, with_it)
    return AskedDie(face, kept, leave=leave, keep=keep)


def _most_of_each(legal: tuple[Faces, ...]) -> Faces:
    most: Counter[int] = Counter()
    for part in legal:
        most |= Counter(part)
    return tuple(sorted(most.elements()))


def _questions(asked: Take | Group | AskedDie) -> int:
    return 1 + max(_questions(asked.leave), _questions(asked.keep)) if isinstance(asked, AskedDie) else 0


def _alike(legal: tuple[Faces, ...]) -> tuple[Faces, ...]:
    """Return the most dice that are alike, the highest where several are, if there are two and they may be kept."""
    most = Counter(_most_of_each(legal))
    face = max(most, key=lambda face: (most[face], face))
    part = (face,) * most[face]
    return (part,) if len(part) > 1 and part in legal else ()


# Groups


def _likely_and_groups(likely: Sequence[str], takes: Mapping[str, Take], gives: Mapping[str, int]) -> Row:
    """Return a row that begins with the likely options; the others are looked up by what they give, or by name."""
    others = [option for option in takes if option not in likely]
    points = [gives.get(option, 0) for option in takes]
    classes = [Class(tuple(takes[option] for option in others))]
    if points[0] > points[-1] and all(before >= behind for before, behind in pairwise(points)):
        # The game lists the highest points first, not in the order of a sheet.
        by_points = groupby(others, key=lambda option: gives.get(option, 0))
        classes = [_of_points(given, tuple(takes[option] for option in same)) for given, same in by_points]
    return (*(takes[option] for option in likely), *_grouped(classes, MOST_PRESSES - len(likely)))


def _grouped(classes: Sequence[Class], presses: int) -> Row:
    """Return the answers of these classes in groups, none farther than this many presses if possible."""
    left_inside = range(presses - 1, -1, -1)  # presses left in a group at each place; with none there is one answer
    one_step, more_steps = [max(left, 1) for left in left_inside], [_room(left) for left in left_inside]
    flat = [Class(tuple(take for source in classes for take in source.takes))]
    tries = ((classes, one_step), (flat, one_step), (classes, more_steps), (flat, more_steps))
    chunks = next((found for some, rooms in tries if (found := _chunks(some, rooms)) is not None), None)
    if chunks is None:  # too many for any number of steps: use one long row
        return flat[0].takes
    return tuple(_group(chunk, left) for chunk, left in zip(chunks, left_inside, strict=False))


def _group(chunk: Class, presses: int) -> Take | Group:
    """Return a group. presses: how many are left inside it."""
    if len(chunk.takes) == 1:
        return chunk.takes[0]
    inside = chunk.takes if len(chunk.takes) <= presses else _grouped([Class(chunk.takes)], presses)
    return Group(chunk.name, inside)


def _groups(row: Row) -> list[Group]:
    return [stop for stop in row if isinstance(stop, Group)]


def _farthest(row: Row) -> int:
    inside = (_farthest(stop.row) if isinstance(stop, Group) else _questions(stop) for stop in row)
    return max(place + 1 + more for place, more in enumerate(inside))


def _chunks(classes: Sequence[Class], rooms: Sequence[int]) -> list[Class] | None:
    """Split classes into groups of at most these sizes; None if they cannot hold all."""
    chunks: list[Class] = []
    for source in classes:
        left = source.takes
        for size in _sizes(len(left), rooms[len(chunks) :]):
            some, left = left[:size], left[size:]
            name = source.name if source.name and some == source.takes else join(": ", (source.name, _range(some)))
            chunks.append(Class(some, name))
        if left:
            return None
    return chunks


def _sizes(count: int, rooms: Sequence[int]) -> list[int]:
    """Share this many answers out among as few of these rooms as hold them, as evenly as they do."""
    needed = next((n for n in range(1, len(rooms) + 1) if sum(rooms[:n]) >= count), 0)
    sizes: list[int] = []
    for n in range(needed):
        left = count - sum(sizes)
        even, behind = -(-left // (needed - n)), sum(rooms[n + 1 : needed])
        sizes.append(min(rooms[n], max(even, left - behind)))
    return sizes


def _room(presses: int) -> int:
    """Return how many answers groups within groups hold: at each place a group with one press fewer, or an answer."""
    return 1 << max(presses - 1, 0)


# Labels


def keep_label(keep: Keep, stop: str = "", points: int | None = None) -> str:
    """Return the label of a keep. stop: the option that then ends the turn, empty if it goes on. points: the gain."""
    faces = faces_text(keep.faces) or "nothing"
    if points is None:
        if not stop:
            return say("keep {faces}", faces=faces)
        return say("keep {faces}, bank" if stop == "bank" else "keep {faces}, stop", faces=faces)
    if stop:
        return say("keep {faces}, bank {n}" if stop == "bank" else "keep {faces}, stop {n}", faces=faces, n=points)
    return say("keep {faces}: 1 point" if points == 1 else "keep {faces}: {n} points", faces=faces, n=points)


def _keep(part: Faces) -> Take:
    keep = Keep(part)
    return Take(keep_label(keep), keep, faces_text(part) or "nothing")


def _option_label(option: str, points: int | None) -> str:
    """Name an option with what it gives; behind numbers, as in Everest, in words, or it would be one more of them."""
    if points is None:
        return option
    if option.replace(" ", "").isdigit():
        if points == 1:
            return say("{faces}: 1 point", faces=option)
        return say("{faces}: {n} points", faces=option, n=points)
    if option.rpartition(" ")[2] == str(points):  # "move 3" contains the points already
        return option
    return say("{box} {n}", box=option, n=points)


def _of_points(points: int, takes: tuple[Take, ...]) -> Class:
    return Class(takes, say("for 1 point") if points == 1 else say("for {n} points", n=points))


def _of_size(dice: int, takes: tuple[Take, ...]) -> Class:
    return Class(takes, say("keep one die") if dice == 1 else say("keep {n} dice", n=dice))


def _range(takes: Sequence[Take | Group]) -> str:
    first, last = takes[0].name, takes[-1].name
    if len(takes) == len((first, last)):
        return say("{box} or {box2}", box=first, box2=last)
    return say("{box} to {box2}", box=first, box2=last)


def row_of(request: Request, aside: Faces | None) -> Row:
    """Return the row that HOLD steps through at a keep, a choice or a claim.

    aside: the dice set aside when it began.
    """
    if request.kind == "keep":
        return keeps(request.legal, aside)
    return claims(request) if request.kind == "claim" else choices(request)
