"""A die that is read doubtfully has to be the same one at two more scales, and to the second opinion."""

from tabletop.core.values import Die, Reading, UnsureReason
from tabletop.perception.filters import DOUBTFUL, RECHECK_S, SCALES, RescaleCheck


def reading(now_s: float, *dice: tuple[int, float, float]) -> Reading:
    """Return what is seen: face, place and confidence of each die."""
    return Reading(now_s, 640, 480, tuple(Die(face, x, 100.0, 50.0, 0.0, "white", sure) for face, x, sure in dice))


class Table:
    """Frames, one every thirtieth of a second.

    other: what is read at the other scales; close: with the second
    opinion, None for the same; looks: at which scales it was.
    """

    def __init__(self) -> None:
        self.twice, self.now_s = RescaleCheck(), 0.0
        self.other = reading(0.0)
        self.close: Reading | None = None
        self.looks: list[float] = []

    def show(self, *dice: tuple[int, float, float], seconds: float = 0.2) -> Reading:
        """Let these dice lie there for so long; return what is told of them then."""
        told = reading(self.now_s)
        for _ in range(round(seconds * 30)):
            self.now_s += 1 / 30
            told = self.twice.apply(reading(self.now_s, *dice), self._look)
        return told

    def _look(self, share: float, *, closely: bool = False) -> Reading:
        self.looks.append(share)
        return self.close if closely and self.close is not None else self.other


def test_a_leaning_die_that_is_a_four_at_one_scale_and_a_six_at_others_is_unsure() -> None:
    """As seen in a simulated room: 0.82 for a 4, and 0.8 for a 6 a little larger or smaller."""
    table = Table()
    table.other = reading(0.0, (6, 206.0, 0.8), (3, 400.0, 0.95))
    told = table.show((4, 200.0, 0.82), (3, 400.0, 0.95))
    assert [die.face for die in told.dice] == [3]
    assert [(one.x, one.reason, one.faces) for one in told.unsure] == [(200.0, UnsureReason.TWO_FACES, (4, 6))]
    assert table.looks == [*SCALES, 1.0], "once, however long it lies there"


def test_one_that_is_nothing_elsewhere_is_unsure() -> None:
    """No other face is named, since none was read."""
    table = Table()
    told = table.show((4, 200.0, 0.62))
    assert [one.reason for one in told.unsure] == [UnsureReason.UNREADABLE]


def test_a_wrong_face_at_every_scale_is_unsure_if_the_second_opinion_differs() -> None:
    """As seen in a simulated room: an ace with a sheen is a three at all scales, and neither to both networks."""
    table = Table()
    table.other, table.close = reading(0.0, (3, 200.0, 0.7)), reading(0.0)
    told = table.show((3, 200.0, 0.65))
    assert not told.dice
    assert [one.reason for one in told.unsure] == [UnsureReason.UNREADABLE]


def test_one_that_is_the_same_is_sure() -> None:
    """A dim lamp or hard dice: it is what it is at every scale."""
    table = Table()
    table.other = reading(0.0, (4, 203.0, 0.7))
    assert table.show((4, 200.0, 0.62)).faces == (4,)
    assert table.looks == [*SCALES, 1.0]


def test_plain_dice_and_rolling_ones_cost_nothing() -> None:
    """Only what lies there and is read doubtfully is looked at again."""
    table = Table()
    assert table.show((4, 200.0, DOUBTFUL)).faces == (4,)
    for n in range(9):
        assert table.show((4, 100.0 + 20 * n, 0.7), seconds=1 / 30).faces == (4,)
    assert not table.looks


def test_what_a_hand_was_in_the_way_of_is_looked_at_again() -> None:
    """After a second; then it counts as what it is, and stays so."""
    table = Table()
    assert table.show((4, 200.0, 0.7)).unsure
    table.other = reading(0.0, (4, 200.0, 0.7))
    assert table.show((4, 200.0, 0.7), seconds=RECHECK_S / 2).unsure
    assert table.show((4, 200.0, 0.7), seconds=RECHECK_S).faces == (4,)
    assert len(table.looks) == 2 * (len(SCALES) + 1)


def test_a_die_thrown_to_the_same_place_is_looked_at_anew() -> None:
    """With another face, or long after the one that lay there was taken up."""
    table = Table()
    assert table.show((4, 200.0, 0.7)).unsure
    table.other = reading(0.0, (5, 200.0, 0.7))
    assert table.show((5, 200.0, 0.7)).faces == (5,)
    table.show(seconds=4.0)
    table.other = reading(0.0, (4, 200.0, 0.7))
    assert table.show((4, 200.0, 0.7)).faces == (4,)
