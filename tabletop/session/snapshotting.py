"""Build the snapshot that every view draws, from a match session and the camera's reading."""

from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path

from tabletop.core import Reading, RefusedError, ReplayError, join, say
from tabletop.dialogs.event_text import all_faces
from tabletop.interpret import labels, log_views, offers
from tabletop.rules import Choose, Event, Keep, Match, Request
from tabletop.session import cheers, journal, manual_entry, match_session, tray
from tabletop.store import Store
from tabletop.views.board import board
from tabletop.views.snapshot import Asking, Highlight, Option, Snapshot

WHO_WON = say("who won?")  # label of BANK
THROW_ONE, ROLL_OR_BANK = say("throw one die"), say("roll or bank?")


def snapshot(session: match_session.MatchSession, reading: Reading | None) -> Snapshot:
    """Return the current snapshot. reading: in pixels of the frame; None before the first."""
    match, request = session.match, session.match.request
    taken = session.offer
    lying = session.unread(session.tray.rest_for(match))
    hold, bank = labels(request, session.tray.memory, taken, lying=lying)
    dice, rows = dice_shown(session), board(match)
    lays = session.player_to_register
    if lays:
        hold, bank = tray.RESTART if session.owners.colours and not match.log else "", tray.SKIP
    return Snapshot(
        game=match.title,
        players=match.players,
        scores=tuple(match.scores.values()),
        asked=lays or request.player or _alone(request),
        ask=tray.LAY if lays else request_text(request),
        at_stake=match.at_stake,
        offer=taken.label if taken and request.kind != "hide" and not offers.stop_option(request) else "",
        question=_question(request, taken),
        thrown=dice.faces,
        kept=dice.kept,
        cursor=dice.cursor,
        hint=session.notices.hint or (match.why if match.abandoned else ""),
        hold=hold,
        bank=bank,
        sheet=(sheet := tuple((row.label, *row.cells) for row in rows)),
        drawn=sheet,
        kinds=tuple(row.kind for row in rows),
        counts=match.game.counts,
        number=session.journal.number,
        covered=_covered(match),
        awaited=1 if lays else _awaited(request),
        unread=lying,
        layout=match.game.layout or "totals",
        goal=goal if type(goal := match.options.get("target")) is int else 0,
        winners=match.winners,
        why=match.why,
        between=_between(match),
        fewest_win=match.game.fewest_win,
        paused=session.tray.memory.paused,
        reading=reading,
        happened=session.history.happened(match),
        rules=match.game.help,
        answers=taken.answers if taken else (),
        registering=bool(lays),
        asking=None if lays or session.tray.memory.paused else asking(session, dice),
        record=session.history.record(match, session.journal.number),
    )


def _awaited(request: Request) -> int:
    if request.kind != "roll":
        return 0
    return request.dice if isinstance(request.dice, int) else sum(request.dice.values())


@dataclass(frozen=True, slots=True)
class DiceShown:
    """The dice to draw.

    faces: of the throw, with those kept earlier in the turn. kept: for each die, whether it is set aside, or would be
    by BANK. cursor: the index of the die in question, None if there is none. fixed: indices of dice that stay kept in
    any case.
    """

    faces: tuple[int, ...]
    kept: tuple[bool, ...]
    cursor: int | None = None
    fixed: frozenset[int] = frozenset()


def dice_shown(session: match_session.MatchSession) -> DiceShown:
    """Return the dice to draw, in seat order for a joint throw; none before the first throw or under a cup."""
    match, request, taken = session.match, session.match.request, session.offer
    if _under_cup(match):
        return DiceShown((), ())
    faces = hand_of(match)
    if match.kept_before or request.kind == "keep":
        faces = tuple(sorted(faces))  # if asked die by die, the cursor moves from left to right
    kept = Counter(match.kept)
    stays: Counter[int] = Counter()
    if request.kind == "keep" and taken is not None:
        stays = _stays(match.kept, len(faces), request)
        kept = stays + Counter(taken.kept)
    marks, fixed = _first_of(kept, faces), _first_of(stays, faces)
    cursor = None
    if taken is not None and taken.asks is not None:
        cursor = [place for place, face in enumerate(faces) if face == taken.asks][kept[taken.asks]]
    return DiceShown(faces, marks, cursor, frozenset(at for at, stays_kept in enumerate(fixed) if stays_kept))


def _first_of(counts: Counter[int], faces: tuple[int, ...]) -> tuple[bool, ...]:
    """Mark as many dice of each face as the counts say, the first ones."""
    return tuple(faces[:at].count(face) < counts[face] for at, face in enumerate(faces))


def _stays(kept: tuple[int, ...], shown: int, request: Request) -> Counter[int]:
    """Return which dice kept before stay kept whatever is kept now: none in Yahtzee, all in Ten Thousand."""
    if isinstance(request.dice, int) and shown - request.dice == len(kept):
        return Counter(kept)
    asked: Counter[int] = Counter()
    for part in request.legal:
        asked |= Counter(part)
    return Counter(kept) - asked


def asking(session: match_session.MatchSession, dice: DiceShown) -> Asking | None:
    """Return the question in a form that views can answer; None for throws and at the end."""
    request, taken = session.match.request, session.offer
    if request.kind not in ("keep", "choose", "claim"):
        return None
    kind = "stop" if offers.stop_option(request) else request.kind
    first = taken.answers[0] if taken is not None and taken.answers else None
    ends = session.offers.bank(session.match, first) if isinstance(first, Keep) and request.may_stop else None
    bank = Option(ends[0], *ends) if ends else None
    at = request.options.index(first.option) if isinstance(first, Choose) else None
    options = _options(request, session.match)
    moment, own = session.journal.asked, boxes(session)
    hand = tuple(sorted(face for place, face in enumerate(dice.faces) if place not in dice.fixed))
    again = session.offers.dice_again(session.match, hand) if kind == "keep" else 0
    return Asking(moment, kind, request.legal, dice.fixed, options, at, boxes=own, bank=bank, again=again)


def _options(request: Request, match: Match) -> tuple[Option, ...]:
    rows = {row.label: at for at, row in enumerate(board(match))}
    groups = {option: name for name, own in request.groups.items() for option in own}
    return tuple(
        Option(option, option, request.gives.get(option), groups.get(option, ""), rows.get(option))
        for option in request.options
    )


def boxes(session: match_session.MatchSession) -> tuple[Option, ...]:
    """Return the score for each open box of the sheet if all dice were kept now; empty if that is not possible."""
    match = session.match
    if match.request.kind != "keep":
        return ()
    then = session.offers.after_keeping_all(match, tuple(sorted(hand_of(match))))
    if then is None or then.kind != "choose" or then.player != match.request.player:
        return ()
    return tuple(option for option in _options(then, match) if option.row is not None and option.gives is not None)


def hand_of(match: Match) -> tuple[int, ...]:
    """Return the dice of the throw and those kept before in the turn."""
    return (*match.kept_before, *all_faces(match.thrown))


def last_throw(now: Snapshot, thrower: str, said: str) -> Snapshot:
    """Return the first screen at the end of a match: the throw that ended it, and its result.

    now: the snapshot with the winners. thrower: empty if several players threw.
    """
    return replace(now, winners=(), why="", asking=None, thrower=thrower, hint=said, told=True, hold="", bank=WHO_WON)


def _question(request: Request, taken: offers.Offer | None) -> str:
    """Return what is chosen, where BANK takes an option that does not say so by the points it gives."""
    answer = taken.answers[0] if taken is not None and taken.answers else None
    return request.question if isinstance(answer, Choose) and answer.option not in request.gives else ""


def _alone(request: Request) -> str:
    return "" if isinstance(request.dice, int) or len(request.dice) > 1 else next(iter(request.dice), "")


def _covered(match: Match) -> bool:
    """Return whether the dice lie under a cup: thrown there, and not shown since."""
    if match.request.kind in ("hide", "claim"):
        return True
    return match.request.kind == "choose" and _under_cup(match)


def _under_cup(match: Match) -> bool:
    """Return whether the newest throw lies under a cup: those before it are gone."""
    kinds = (event.request.kind for event in reversed(match.events) if event.request is not None)
    return next((kind for kind in kinds if kind in ("roll", "hide")), "") == "hide"


def _between(match: Match) -> bool:
    """Return whether a turn has ended and the next player's first throw has not come yet."""
    newest = match.events[-1:]
    begins = match.request.kind in ("roll", "hide") and not match.request.reveals
    return begins and bool(newest) and newest[0].player != match.request.player


def request_text(request: Request) -> str:
    """Return a short text for the request."""
    if stop := offers.stop_option(request):
        return ROLL_OR_BANK if stop == "bank" else say("roll or stop?")
    if request.question:
        return request.question
    due = request.dice if isinstance(request.dice, int) else sum(request.dice.values())
    alone = bool(request.player or _alone(request))
    if request.kind == "roll":
        return (THROW_ONE if due == 1 else say("throw {n} dice", n=due)) if alone else say("all throw")
    if request.kind == "hide":
        under = say("one die under the cup") if due == 1 else say("{n} dice under the cup", n=due)
        return under if alone else say("all throw under the cup")
    return _ASKED.get(request.kind, "")


_ASKED = {"keep": say("keep which?"), "choose": say("choose"), "claim": say("claim")}


def in_one_line(now: Snapshot) -> str:
    """Return the snapshot as one line of English, for the system log."""
    if now.menu is not None:
        return join(": ", (now.menu.title, "" if now.menu.faces else now.menu.note))  # no word about a game not chosen
    if now.winners:
        return join(": ", (now.game, join(" and ", now.winners), "won"))
    return join(": ", (now.game, now.hint or join(", ", (now.asked, now.ask))))


def troubled(now: Snapshot, why: str) -> Snapshot:
    """Return the snapshot with an error line, in a menu too; unchanged if `why` is empty."""
    if not why:
        return now
    return replace(now, hint=why) if now.menu is None else replace(now, menu=replace(now.menu, note=why, faces=()))


MOST_POINTS = 60  # of a chart on a screen as wide as a phone: more cannot be distinguished
PLAIN = ("throw", "keep", "choose", "leave", "join")  # events that leave earlier scores valid

Scores = tuple[int, ...]


class Course:
    """The scores of one match after each event that changed them, from the beginning."""

    def __init__(self) -> None:
        self._match: Match | None = None
        self._entries = 0
        self._scores: list[Scores] = []

    def whole(self, match: Match) -> list[Scores]:
        """Return the scores over time, each in seat order, oldest first."""
        new = match.log[self._entries :]
        if match is not self._match or any(event.kind not in PLAIN for event in new):
            self._scores = _replayed(match)
        self._match, self._entries = match, len(match.log)
        now = tuple(match.scores.values())
        if not self._scores or self._scores[-1] != now:
            self._scores.append(now)
        return self._scores

    def of(self, match: Match) -> tuple[Scores, ...]:
        """Return the scores over time, at most `MOST_POINTS` of them."""
        scores = self.whole(match)
        step = len(scores) / MOST_POINTS
        if step <= 1.0:
            return tuple(scores)
        return (*(scores[int(point * step)] for point in range(MOST_POINTS - 1)), scores[-1])


def _replayed(match: Match) -> list[Scores]:
    """Return the scores on the way to where a match stands; as far as it is clear where players left or joined."""
    again = Match(match.game.id, match.seated, **match.options)
    scores = [tuple(again.scores.values())]
    for event in match.events:
        try:
            again.apply(*again.draft(event.answer))
        except (RefusedError, ReplayError):  # leaving and joining are not answers
            break
        if (now := tuple(again.scores.values())) != scores[-1]:
            scores.append(now)
    return scores


LAST_THROW_S = 9.0  # how long the last throw is shown before the winner: two pages of the small screen
SAID_S = 4.0  # how long the result of an answer is shown before the request


class MatchDisplay:
    """Remembers when things happened in a match, and makes snapshots of it. Times in seconds, on any one clock.

    manual: the faces being entered with the buttons.
    """

    def __init__(self, manual: manual_entry.ManualEntry) -> None:
        self.manual, self._course = manual, Course()
        self._thrower = ""
        self._hinted: tuple[str, float] = ("", 0.0)  # the newest hint, and when it was first shown
        self.begin(None)

    def begin(self, session: match_session.MatchSession | None) -> None:
        """Show this match from now on; its earlier events are not announced again."""
        self._known = (len(session.match.log), session.notices.news) if session else (0, (0, ""))
        self._before, self._cheer = (0, 0), ""  # points at stake, and the previous length of the score course
        self._highlights: tuple[Highlight, ...] = ()
        if session:
            self._celebrate(session.match, ())
        self._news_s = self._thrown_s = self._ended_s = float("-inf")

    def shows_last_throw(self, session: match_session.MatchSession, now_s: float) -> bool:
        """Return whether the throw that ended the match is still shown instead of the winner."""
        return session.match.over and now_s - self._ended_s < LAST_THROW_S

    def turn_to_winner(self) -> None:
        """Show the winner from now on."""
        self._ended_s = float("-inf")

    def show(self, session: match_session.MatchSession, reading: Reading | None, now_s: float) -> Snapshot:
        """Return the snapshot to show now. reading: in pixels, None before the first."""
        now = self.manual.shown(snapshot(session, reading), session)
        self._note_news(session, now_s)
        now = replace(now, cheer=self._cheer, highlights=self._highlights)
        if self.shows_last_throw(session, now_s):
            return last_throw(now, self._thrower, session.match.said)
        if session.journal.fallen and now.winners:
            now = replace(now, cheer=session.journal.fallen)
        if now_s - self._thrown_s < SAID_S:
            now = replace(now, thrower=self._thrower)
        if now.hint != self._hinted[0]:
            self._hinted = (now.hint, now_s)
        now = replace(now, tray=self.manual.tray(session), course=self._course.of(session.match))
        said = session.notices.news[1] or ("" if now.winners else session.match.said)
        if now_s - self._news_s >= SAID_S or (now.hint and (self._hinted[1] >= self._news_s or not said)):
            return now
        return replace(now, hint=said, told=True, tray=now.tray if now.entry is not None else None)

    def _note_news(self, session: match_session.MatchSession, now_s: float) -> None:
        """Note when something happened, and the thrower; an undone or corrected throw does not count."""
        known = (len(session.match.log), session.notices.news)
        if known == self._known:
            return
        before, self._known = self._known[0], known
        new = session.match.log[before:]
        self._celebrate(session.match, new)
        self._news_s = now_s if new or session.notices.news[1] else float("-inf")  # a press ends the current message
        throws = [event for event in new if event.kind == "throw"]
        if throws:
            self._thrower, self._thrown_s = throws[-1].player or "", now_s
            given = next(event for event in reversed(session.match.events) if not log_views.is_forced(event))
            self._ended_s = now_s if session.match.over and given.kind == "throw" else float("-inf")
        elif new:
            self._thrown_s = float("-inf")  # the throw was answered or undone: show whose turn it is first

    def _celebrate(self, match: Match, new: tuple[Event, ...]) -> None:
        """Note what the newest entries are cheered for, and the best moments at the end."""
        course = self._course.whole(match)
        self._cheer = cheers.cheer(match, new, *self._before, course)
        self._before = (match.at_stake, len(course))
        self._highlights = cheers.highlights(match, course) if match.winners else ()


def of_stored(path: Path, number: int) -> Snapshot:
    """Return the snapshot of a stored match as it stands, in English; raises TabletopError. path: its store."""
    with Store(path, looking=True) as store:
        match = journal.load_match(store, store.match(number))
    session, display = (
        match_session.MatchSession(match, None, number),
        MatchDisplay(manual_entry.ManualEntry(no_camera=True)),
    )
    display.begin(session)
    return display.show(session, None, 0.0)
