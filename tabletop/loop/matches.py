"""The matches of one store: begun, gone on with, ended, and offered in the start menu."""

from collections.abc import Callable, Iterator

from tabletop.errors import InputError
from tabletop.loop.menu import Choice, Item, NewMatch, Page, Resume, players_page, start_menu
from tabletop.loop.restoring import restored
from tabletop.loop.running import Running, Told
from tabletop.rules import Match, game_ids, load
from tabletop.store import Store, StoredMatch

FAMILY = ("Ann", "Ben", "Cleo", "Dan", "Eve", "Finn")  # names until people have given their own
EASY_GAME = "pig"  # the first game of the menu until others have been played
SEATINGS_OFFERED = 4  # groups that played before, newest first
OPEN_OFFERED = 3  # open matches in the start menu, newest first


class Matches:
    """What the store holds, as running matches.

    store: where they are kept. time: returns the time to note. told: takes each event once it is on disk.
    """

    def __init__(self, store: Store, time: Callable[[], str], told: Told) -> None:
        self._store, self._time, self._told = store, time, told

    def begin(self, match: Match) -> Running:
        """Keep a new match and return it, running; joint throws are played one after the other."""
        match = for_one_tray(match)
        number = self._store.begin(match.game.id, match.seated, dict(match.options), self._time())
        return Running(match, self._store, number, self._time, self._told)

    def resume(self, number: int | None) -> Running:
        """Go on with a stored match, None for the newest that is open.

        Raises InputError where there is none, or it is over, ReplayError where the rules changed under it.
        """
        stored = self._store.match(number) if number is not None else self._newest_open()
        if stored.ending == "left":
            raise InputError(f"expected a match that is open, got match {stored.number}, which was ended")
        match = restored(self._store, stored)
        if match.over != (stored.ending == "over"):  # the plug was pulled, or the store busy, just when it was noted
            self._store.end(stored.number, "over" if match.over else None)
        return Running(match, self._store, stored.number, self._time, self._told)

    def leave(self, running: Running) -> None:
        """End a match for good."""
        self._store.end(running.number, "left")

    def open_matches(self) -> tuple[StoredMatch, ...]:
        """Return the matches that can go on, the newest first."""
        return tuple(stored for stored in self._store.matches() if stored.ending is None)

    def menu(self, seated: tuple[str, ...] = (), only: str | None = None) -> Choice:
        """Return the start menu, games last played first.

        seated: players that the command line named; only: the game that it named.
        """
        going = [
            Item(f"{_name(stored.game)} {len(stored.players)}", Resume(stored.number), ", ".join(stored.players))
            for stored in self.open_matches()[:OPEN_OFFERED]
        ]
        return start_menu(going, list(self._game_items(seated, only)))

    def _game_items(self, seated: tuple[str, ...], only: str | None) -> Iterator[Item]:
        stored = self._store.matches()
        played, there = [one.players for one in stored], game_ids()
        for game in dict.fromkeys((*(one.game for one in stored), EASY_GAME, *there)):
            if game in there and only in (None, game):
                try:
                    yield _game_item(game, seated, played)
                except InputError:  # a broken game of one's own: `tabletop games` tells; the others can be played
                    if only is not None:
                        raise

    def _newest_open(self) -> StoredMatch:
        found = self.open_matches()
        if not found:
            raise InputError("expected an open match to resume, got none in the store; start one without --resume")
        return found[0]


def _game_item(game_id: str, seated: tuple[str, ...], played: list[tuple[str, ...]]) -> Item:
    """Offer a game. seated: players that the command line named; played: who played any game before, newest first."""
    facts, _ = load(game_id)
    if seated:
        start = Page(facts.name, (Item("start", NewMatch(game_id, seated), ", ".join(seated)),))
        return Item(facts.name, start)
    least, most = facts.min_players, min(facts.max_players, len(FAMILY))
    before = [players for players in played if facts.min_players <= len(players) <= facts.max_players]
    usual = [FAMILY[:count] for count in sorted(range(least, most + 1), key=lambda count: (count < 2, count))]  # noqa: PLR2004 - two first
    seatings = tuple(dict.fromkeys([*before[:SEATINGS_OFFERED], *usual]))
    return Item(facts.name, players_page(game_id, facts.name, seatings))


def for_one_tray(match: Match) -> Match:
    """Return the match as one tray can show it.

    Whose die is whose is not told by colour there yet, so who would throw at once throws one after the other: the
    option `together` is recorded as false.
    """
    if match.options.get("together") is not True:
        return match
    return Match(match.game.id, match.seated, **{**match.options, "together": False})


def _name(game_id: str) -> str:
    try:
        return load(game_id)[0].name
    except InputError:  # a game of one's own that is no longer there: the match is shown all the same
        return game_id
