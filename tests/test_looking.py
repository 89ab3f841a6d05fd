"""Nobody looks for faint dice where all that are due are sure: they are found all the same where some are not."""

from tabletop.cli.known_pictures import still
from tabletop.vision.eye import read, ready
from tabletop.vision.finder import Place
from tabletop.vision.judge import TOLD
from tabletop.vision.looking import LIKELY, looked


def test_faint_places_are_looked_at_unless_all_is_found() -> None:
    """Two of three dice at faint places: found where three are wanted, passed over where one is enough."""
    known = still(640, 480, 70, 3)
    places = [Place(one.x, one.y, 70.0, 2.0 if n == 0 else LIKELY - 0.5) for n, one in enumerate(known.truth.labels)]
    _, judge = ready()
    assert len(looked(judge, known.open(), places)) == 3
    assert len(looked(judge, known.open(), places, TOLD, lambda found: len(found) >= 3)) == 3
    assert len(looked(judge, known.open(), places, TOLD, lambda found: len(found) >= 1)) == 1


def test_one_die_too_many_is_seen() -> None:
    """Where five are expected and six lie there, all six are told: the table says that there is one too many."""
    known = still(640, 480, 70, 6)
    assert len(read(known.open(), die_px=70, expect=5).dice) == 6
