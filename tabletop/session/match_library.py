"""The matches of one store: begin, resume, end, and offer them in the start menu."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING

from tabletop.core.errors import DamagedError, InputError, ReplayError, StoreError
from tabletop.core.values import Moment
from tabletop.dialogs import commands, setup_state
from tabletop.dialogs.commands import MenuAction
from tabletop.dialogs.setup import SetupDialog, after_game, setup_dialog
from tabletop.rules import Game, Match, game_ids, load
from tabletop.session.journal import EventListener, check_match, ending_of, load_match
from tabletop.session.match_session import MatchSession, ThrowListener
from tabletop.store import Store, StoredMatch
from tabletop.views.i18n import catalogue, translate

if TYPE_CHECKING:
    from tabletop.session.table_loop import Handlers

MATCHES_LOOKED_AT = 300  # the newest: years for a family, and the menu still opens at once for a club
EASY_GAME = "pig"  # the first game in the menu until another has been played


class MatchLibrary:
    """Opens the matches of a store as sessions.

    store: where they are kept. time: returns the moment of an event. listener: called with each event once it is on
    disk. registers: whether players can register dice by laying one down, so that several can throw at once.
    calibrates, phones, quits: whether the menu offers to set up the camera, to connect phones, and to quit instead of
    switching off. language: of the players; each language has its own popular games. threw: as in `MatchSession`.
    """

    calibrates = phones = quits = False

    def __init__(
        self, store: Store, time: Callable[[], Moment], listener: EventListener, *, registers: bool = False
    ) -> None:
        self.language: Callable[[], catalogue.Language] = lambda: catalogue.ENGLISH
        self.threw: ThrowListener = lambda *_: None
        self._store, self._time, self._listener, self._registers = store, time, listener, registers
        self.handlers: Handlers = {
            commands.NewMatch: lambda new, _: self.begin(Match(new.game, new.players, **dict(new.settings))),
            commands.Resume: lambda resume, _: self.resume(resume.number),
            commands.KeepPreset: lambda kept, _: store.presets.keep(
                kept.name, kept.match.game, kept.match.players, dict(kept.match.settings)
            ),
            commands.RenamePreset: lambda preset, _: store.presets.rename(preset.name, preset.new),
            commands.ForgetPreset: lambda preset, _: store.presets.forget(preset.name),
            commands.MergeNames: lambda names, _: store.same_names.merge(names.name, names.means),
            commands.Leave: self._leave,
            commands.Join: self._join,
            MenuAction.REMATCH: self._ask_rematch,
            MenuAction.JOIN: self._ask_join,
            MenuAction.END_MATCH: self._end,
            MenuAction.START_MENU: lambda *_: None,
        }

    @property
    def trouble(self) -> str:
        """Why events cannot be stored now, empty if they can."""
        return self._store.trouble

    def begin(self, match: Match) -> MatchSession:
        """Store a new match and return its session; if players cannot register dice, they throw in turn."""
        match = match if self._registers else for_one_tray(match)
        now = self._time()
        number = self._store.begin(match.game.id, match.seated, dict(match.options), now.time, now.clock)
        self._store.claim(self._store.match(number))
        return self._session(match, number)

    def resume(self, number: int | None) -> MatchSession:
        """Resume a stored match, None for the newest open one.

        Raises InputError if there is none or it has ended, StoreError if another table is playing it, ReplayError if
        the rules have changed since.
        """
        stored = self._store.match(number) if number is not None else self._newest_open()
        check_match(stored)
        if stored.ending == "left":
            raise InputError(f"expected a match that is open, got match {stored.number}, which was ended")
        load_match(self._store, stored)  # may raise: then this table keeps its current match
        self._store.claim(stored)
        match = load_match(self._store, stored)
        if ending_of(match) != stored.ending:  # the power was cut, or the store was busy, just as the ending was stored
            self._store.end(stored.number, ending_of(match))
        return self._session(match, stored.number, self._store.colours(stored.number))

    def continued(self, match: Match) -> MatchSession | None:
        """Continue an unfinished match, preferably the one played last; None if there is none.

        Matches that cannot continue, because the rules have changed or another table is playing them, are skipped.
        match: the match to begin otherwise; if it has just been begun and is still empty, it is reused.
        """
        last = self._store.taken_up_last
        numbers = sorted((stored.number for stored in self.open_matches()), key=lambda number: number != last)
        numbers += [stored.number for stored in self._store.matches()[:1] if _untouched(stored, match)]
        for number in numbers:
            with suppress(InputError, ReplayError, StoreError):
                return self.resume(number)
        return None

    def _session(self, match: Match, number: int, colours: Mapping[str, str] | None = None) -> MatchSession:
        session = MatchSession(
            match, self._store, number, self._time, self._listener, colours=colours, registers=self._registers
        )
        session.threw = lambda *throw: self.threw(*throw)  # noqa: PLW0108 - it may be set later
        return session

    def open_matches(self) -> tuple[StoredMatch, ...]:
        """Return the matches that can be resumed, newest first, without empty ones."""
        going = [stored for stored in self._store.matches() if _goes_on(stored)]
        broken = self._store.broken_logs([stored.number for stored in going])
        return tuple(stored for stored in going if stored.number not in broken)

    def _end(self, _: MenuAction, session: MatchSession | None) -> None:
        if session is not None:
            self._store.end(session.journal.number, "left")

    def _leave(self, decision: commands.Leave, session: MatchSession | None) -> MatchSession | None:
        if session is not None:
            session.leave(decision.name)
        return session

    def _join(self, decision: commands.Join, session: MatchSession | None) -> MatchSession | None:
        if session is not None:
            session.join(decision.name)
            self._store.remember(decision.name)
        return session

    def menu(self, seated: tuple[str, ...] = (), only: str | None = None, *, home: bool = False) -> SetupDialog:
        """Return the start menu.

        seated: players named on the command line. only: the game named there. home: whether long BANK returns to a
        match.
        """
        if only is None:
            return setup_dialog(setup_state.SetupState(self.known(seated), (setup_state.Step("first"),)), home=home)
        game, _ = load(only)
        state = after_game(setup_state.SetupState(self.known(seated), (setup_state.Step("first"),)), game)
        return setup_dialog(replace(state, trail=state.trail[1:]), home=home)

    def _ask_rematch(self, _: MenuAction, session: MatchSession | None) -> SetupDialog | None:
        if session is None:
            return None
        match = session.match
        state = setup_state.SetupState(
            self.known(()), (setup_state.Step("again", match.game, match.present or match.players),)
        )
        return setup_dialog(state.set(setup_state.unusual(match.game, match.options)), home=True)

    def _ask_join(self, _: MenuAction, session: MatchSession | None) -> SetupDialog | None:
        if session is None:
            return None
        match = session.match
        left = tuple(name for name in match.players if name not in match.present)
        step = setup_state.Step("joins", match.game, match.players, seats=left)
        return setup_dialog(setup_state.SetupState(self.known(()), (step,)), home=True)

    def known(self, seated: tuple[str, ...], number: int | None = None) -> setup_state.SetupContext:
        """Return the choices for the setup dialog.

        seated: players named on the command line. number: the current match, 0 for none: includes its seats and the
        scores of the newest other match; None omits both.
        """
        everything, made_up = self._store.matches(), catalogue.trial_players()
        real = [match for match in everything if match.players not in made_up]
        tried = {name for players in made_up for name in players} - {name for match in real for name in match.players}
        whole = (match for match in real if not match.damage)
        stored = list(islice(whole, MATCHES_LOOKED_AT))
        broken = self._store.broken_logs([match.number for match in stored if _goes_on(match)])
        games = dict(_games((*(match.game for match in stored), EASY_GAME)))
        recent = len({match.game for match in stored} & games.keys())
        played = tuple(
            setup_state.PlayedMatch(
                match.number, game, match.players, setup_state.unusual(game, match.options), _goes_on(match)
            )
            for match in stored
            if (game := games.get(match.game)) is not None and match.number not in broken
        )
        presets = tuple(
            setup_state.OwnPreset(kept.name, game, kept.players, setup_state.unusual(game, kept.options))
            for kept in self._store.presets.all()
            if (game := games.get(kept.game)) is not None
        )
        going = [match.number for match in played if match.open and match.number != number]
        return setup_state.SetupContext(
            tuple(games.values()),
            recent,
            played,
            tuple(name for name in self._store.names() if name not in tried),
            seated,
            self.calibrates,
            self.phones,
            presets,
            self._seats(number) if number else None,
            self._store.same_names.all(),
            len(broken) + sum(bool(match.damage) for match in everything),
            self._standing(going[:1]) if number is not None else (),
            self.quits,
            tuple(self._popular(games.values())),
        )

    def _popular(self, games: Iterable[Game]) -> Iterator[setup_state.NamedGame]:
        language, there = self.language(), tuple(games)
        for title in translate.phrases(language).form["popular_games"].split("; "):
            for game in there:
                if title in (game.name, *game.other_names, language.translate(game.name, translate.GAME)):
                    yield game, game.names.get(title, "")

    def _standing(self, going: Iterable[int]) -> tuple[int, ...]:
        """Return the scores of the first of these matches, () without one, or if it cannot go on."""
        for number in going:
            with suppress(ReplayError):
                return tuple(load_match(self._store, self._store.match(number)).scores.values())
        return ()

    def _seats(self, number: int) -> setup_state.MatchSeats | None:
        try:
            match = load_match(self._store, self._store.match(number))
        except DamagedError:
            return None
        if match.over:
            return None
        left = tuple(name for name in match.players if name not in match.present)
        joining = match.game.joining and len(match.players) < match.game.max_players
        return setup_state.MatchSeats(tuple(match.present), left, joining)

    def _newest_open(self) -> StoredMatch:
        found = self.open_matches()
        if not found:
            raise InputError("expected an open match to resume, got none in the store; start one without --resume")
        return found[0]


def _goes_on(stored: StoredMatch) -> bool:
    """Return whether a match can be resumed; one without events may as well be begun again."""
    return stored.ending is None and stored.events > 0 and not stored.damage


def _untouched(stored: StoredMatch, match: Match) -> bool:
    """Return whether nothing has happened yet in a stored match, and it is the same as this one."""
    same = (stored.game, stored.players, dict(stored.options)) == (match.game.id, match.seated, dict(match.options))
    return stored.ending is None and not (stored.events or stored.damage) and same


def _games(first: Iterable[str]) -> Iterator[tuple[str, Game]]:
    """Yield all games that can be played, by their ids, these first."""
    there = game_ids()
    for game_id in dict.fromkeys((*first, *there)):
        if game_id in there:
            try:
                yield game_id, load(game_id)[0]
            except InputError:  # a broken custom game: `tabletop games` reports it; the others stay playable
                continue


def for_one_tray(match: Match) -> Match:
    """Return the match as played without registered dice.

    Players who would throw at once throw in turn: the option `together` is recorded as false.
    """
    if match.options.get(setup_state.TOGETHER) is not True:
        return match
    return Match(match.game.id, match.seated, **{**match.options, setup_state.TOGETHER: False})
