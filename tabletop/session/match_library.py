"""The matches of one store: begun, gone on with, ended, and offered in the start menu."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from tabletop.core.errors import InputError
from tabletop.dialogs.decisions import Decision, Dialog, ForgetName, Join, Leave, MenuAction, NewMatch, Resume
from tabletop.dialogs.option_values import TOGETHER, unusual
from tabletop.dialogs.setup.flow import SetupDialog, setup_dialog
from tabletop.dialogs.setup.players import after_game
from tabletop.dialogs.setup.state import PlayedMatch, SetupContext, SetupState, Step
from tabletop.rules import Match, game_ids, load
from tabletop.rules.game import Game
from tabletop.session.match_session import EventListener, MatchSession
from tabletop.session.restoring import load_match
from tabletop.store import Store, StoredMatch

MATCHES_LOOKED_AT = 300  # of the store, the newest: years for a family, and a menu that opens at once for a club
EASY_GAME = "pig"  # the first game of the menu until others have been played


class MatchLibrary:
    """What the store holds, as running matches.

    store: where they are kept. time: returns the time to note. told: takes each event once it is on disk. lays: whether
    people at the table can be asked to lay their dice, so that several can throw at once.
    """

    def __init__(self, store: Store, time: Callable[[], str], told: EventListener, *, lays: bool = False) -> None:
        self._store, self._time, self._told, self._lays = store, time, told, lays

    def begin(self, match: Match) -> MatchSession:
        """Keep a new match and return it, running; nobody can lay dice: joint throws come one after the other."""
        match = match if self._lays else for_one_tray(match)
        number = self._store.begin(match.game.id, match.seated, dict(match.options), self._time())
        return MatchSession(match, self._store, number, self._time, self._told, lays=self._lays)

    def resume(self, number: int | None) -> MatchSession:
        """Go on with a stored match, None for the newest that is open.

        Raises InputError where there is none, or it is over, ReplayError where the rules changed under it.
        """
        stored = self._store.match(number) if number is not None else self._newest_open()
        if stored.ending == "left":
            raise InputError(f"expected a match that is open, got match {stored.number}, which was ended")
        match = load_match(self._store, stored)
        if match.over != (stored.ending == "over"):  # the plug was pulled, or the store busy, just when it was noted
            self._store.end(stored.number, "over" if match.over else None)
        colours = self._store.colours(stored.number)
        return MatchSession(match, self._store, stored.number, self._time, self._told, colours=colours, lays=self._lays)

    def leave(self, running: MatchSession) -> None:
        """End a match for good."""
        self._store.end(running.number, "left")

    def open_matches(self) -> tuple[StoredMatch, ...]:
        """Return the matches that can go on, the newest first."""
        return tuple(stored for stored in self._store.matches() if stored.ending is None)

    def execute(self, decision: Decision, running: MatchSession | None) -> "MatchSession | Dialog | None":
        """Carry out what a menu decided: return the match that is played then, what is asked next, or None to ask anew.

        running: the match that is played now. Raises TabletopError where it cannot be done; nothing has changed then.
        """
        if isinstance(decision, NewMatch):
            return self.begin(Match(decision.game, decision.players, **dict(decision.settings)))
        if isinstance(decision, Resume):
            return self.resume(decision.number)
        if isinstance(decision, ForgetName):
            self._store.forget(decision.name)
            return decision.then
        if running is not None:
            return self._decide_at(decision, running)
        return None

    def _decide_at(self, decision: Decision, running: MatchSession) -> "MatchSession | Dialog | None":
        if isinstance(decision, Leave):
            running.leave(decision.name)
            return running
        if isinstance(decision, Join):
            running.join(decision.name)
            self._store.remember(decision.name)
            return running
        if decision == MenuAction.REMATCH:
            return self._again(running.match)
        if decision == MenuAction.JOIN:
            return self._joins(running.match)
        if decision == MenuAction.END_MATCH:
            self.leave(running)
        return None

    def menu(self, seated: tuple[str, ...] = (), only: str | None = None, *, home: bool = False) -> SetupDialog:
        """Return what a table asks that waits for somebody.

        seated: players that the command line named; only: the game that it named. home: a match stands behind, to
        which long BANK leads back.
        """
        if only is None:
            return setup_dialog(SetupState(self._known(seated), (Step("first"),)), home=home)
        game, _ = load(only)
        way = after_game(SetupState(self._known(seated), (Step("first"),)), game)
        return setup_dialog(replace(way, trail=way.trail[1:]), home=home)

    def _again(self, match: Match) -> SetupDialog:
        """Ask for a rematch of those who are still there."""
        way = SetupState(self._known(()), (Step("again", match.game, match.present),))
        return setup_dialog(way.set(unusual(match.game, match.options)), home=True)

    def _joins(self, match: Match) -> SetupDialog:
        """Ask who sits down at this match."""
        left = tuple(name for name in match.players if name not in match.present)
        return setup_dialog(
            SetupState(self._known(()), (Step("joins", match.game, match.players, seats=left),)), home=True
        )

    def _known(self, seated: tuple[str, ...]) -> SetupContext:
        stored = self._store.matches()[:MATCHES_LOOKED_AT]
        games = dict(_games((*(one.game for one in stored), EASY_GAME)))
        recent = len({one.game for one in stored} & games.keys())
        played = tuple(
            PlayedMatch(one.number, games[one.game], one.players, unusual(games[one.game], one.options), _goes_on(one))
            for one in stored
            if one.game in games
        )
        return SetupContext(tuple(games.values()), recent, played, self._store.names(), seated)

    def _newest_open(self) -> StoredMatch:
        found = self.open_matches()
        if not found:
            raise InputError("expected an open match to resume, got none in the store; start one without --resume")
        return found[0]


def _goes_on(stored: StoredMatch) -> bool:
    """Tell whether there is something to go on with; a match in which nothing happened is as well begun again."""
    return stored.ending is None and stored.events > 0


def _games(first: Iterable[str]) -> Iterator[tuple[str, Game]]:
    """Yield all games that can be played by their ids, these first."""
    there = game_ids()
    for game_id in dict.fromkeys((*first, *there)):
        if game_id in there:
            try:
                yield game_id, load(game_id)[0]
            except InputError:  # a broken game of one's own: `tabletop games` tells; the others can be played
                continue


def for_one_tray(match: Match) -> Match:
    """Return the match as a tray can show it where nobody lays a die to tell whose it is.

    Who would throw at once throws one after the other: the option `together` is recorded as false.
    """
    if match.options.get(TOGETHER) is not True:
        return match
    return Match(match.game.id, match.seated, **{**match.options, TOGETHER: False})
