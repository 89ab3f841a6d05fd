"""What the lobby says of each game: a kind, typical faces, minutes."""

from tabletop.core.values import FACES
from tabletop.dialogs.lobby import tiles
from tabletop.rules import game_ids, load

LONGEST_MIN = 60  # minutes: nobody calls a longer match one game
MOST_DICE = 6


def test_each_game_has_a_tile() -> None:
    """A picture shows no more dice than the table needs."""
    assert tiles().keys() == {*game_ids()}
    for game_id, tile in tiles().items():
        game, _ = load(game_id)
        assert tile.kind
        assert 0 < tile.minutes <= LONGEST_MIN
        assert {*map(int, tile.faces)} <= {*FACES}
        assert 1 <= len(tile.faces) <= (MOST_DICE if game.dice_each else min(MOST_DICE, game.dice))
