"""From the store back to a match."""

from tabletop.core.errors import ReplayError
from tabletop.rules import Event, Match
from tabletop.store import Store, StoredMatch


def load_match(store: Store, stored: StoredMatch) -> Match:
    """Return a stored match as it stands.

    Raises ReplayError naming the first event that no longer fits; its `match` is the match up to there.
    """
    try:
        events = [Event.from_json(event.body) for event in store.events(stored.number)]
        return Match.replay(stored.game, stored.players, stored.options, events)
    except ReplayError as error:
        text = (
            f"match {stored.number} cannot go on, the rules have changed under it ({error}); "
            f"`tabletop replay {stored.number}` shows it up to there, and nothing is deleted"
        )
        raise ReplayError(text, error.match) from error
