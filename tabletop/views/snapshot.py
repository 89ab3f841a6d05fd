"""The one value that every view draws: table, request and reading, frozen at one moment."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from tabletop.core.ports import ButtonName
from tabletop.core.values import Reading
from tabletop.rules import Answer, Event
from tabletop.views.i18n.catalogue import ENGLISH, ENGLISH_PHRASES, Language, Strings


@dataclass(frozen=True, slots=True)
class MenuView:
    """A list in which HOLD steps and BANK takes.

    items are never empty; at: the index of the item stepped to. note: one line about that item, may be empty. given:
    the indices of items that people named themselves: they are the same in every language. sheet: the items are rows of
    the score sheet, each "row: cell". weighty: what the note says matters more than the title. main: the menu itself,
    or the start, not what lies behind a line of it. guided: a page of setting the camera up; corners: the tray's
    corners may be shown in its picture now; tray: those that were, in parts of the picture, where no marker shows it.
    leave: the index of the item that goes back, where long BANK takes what is shown; None where long BANK goes back.
    faces: of the dice with which the game that is stepped to is pictured.
    """

    title: str
    items: tuple[str, ...]
    at: int = 0
    note: str = ""
    given: frozenset[int] = frozenset()
    sheet: bool = False
    weighty: bool = False
    main: bool = False
    guided: bool = False
    corners: bool = False
    tray: tuple[tuple[float, float], ...] = ()
    leave: int | None = None
    faces: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Spelling:
    """A name being put together letter by letter: HOLD steps through the letters, BANK takes.

    text: what stands already. letters: what HOLD steps through, single letters and words such as "done"; at: the index
    of the one stepped to.
    """

    title: str
    text: str
    letters: tuple[str, ...]
    at: int = 0


@dataclass(frozen=True, slots=True)
class Entry:
    """Faces entered with the buttons, die by die: HOLD counts up, BANK accepts.

    who: whose dice they are. faces: those entered so far. due: how many dice in all. face: the one counted up to; 0 for
    what is no die after all.
    """

    who: str
    faces: tuple[int, ...]
    due: int
    face: int = 1


@dataclass(frozen=True, slots=True)
class DieInTray:
    """A die in a drawing of the tray.

    x, y: its middle, as parts of the tray's width and height from its top left, 0.0 to 1.0. face: 0 if it cannot be
    read. asked: people are asked about it: it blinks.
    """

    x: float
    y: float
    face: int = 0
    asked: bool = False


@dataclass(frozen=True, slots=True)
class TrayDrawing:
    """Where the dice lie, for a small drawing. shape: the tray's width for a height of one."""

    shape: float
    dice: tuple[DieInTray, ...]


@dataclass(frozen=True, slots=True)
class Option:
    """One option of a choice or a claim. option: as the referee takes it. label: for people.

    gives: the points that it would write down now, None where it says nothing of points. group: those that people look
    up together have the same, empty without groups. row: the index of its row in the sheet, None if it has none.
    """

    option: str
    label: str
    gives: int | None = None
    group: str = ""
    row: int | None = None


@dataclass(frozen=True, slots=True)
class Asking:
    """What is asked, for views that take the answer itself.

    moment: names the question: the number of the match, and how many entries its log has. kind: "keep", "choose",
    "claim", "stop" for rolling on or ending the turn, or "roll" where the faces are entered by hand. legal: the parts
    that may be kept, best first; bank: how the turn could end after what BANK keeps, and with what, None if it cannot.
    fixed: the indices in `thrown` of dice that stay kept whatever is kept now. options: in the order of the game; at:
    the index of the one that BANK takes, None if it takes none. due: whose dice are entered, and how many, in seat
    order; joint: they are thrown at once. boxes: for a keep, what could be chosen if all dice were kept, each with what
    it would give as the dice lie; empty where keeping all leads to no box. again: how many dice are thrown after all of
    them were kept, 0 where that ends the throwing.
    """

    moment: tuple[int, int]
    kind: str
    legal: tuple[tuple[int, ...], ...] = ()
    fixed: frozenset[int] = frozenset()
    options: tuple[Option, ...] = ()
    at: int | None = None
    due: tuple[tuple[str, int], ...] = ()
    joint: bool = False
    boxes: tuple[Option, ...] = ()
    bank: Option | None = None
    again: int = 0


@dataclass(frozen=True, slots=True)
class MatchRecord:
    """The match from its beginning, for views that look back further than the newest events.

    number: of the match. entries: how many its log has; with the number, that makes two of them equal. game: its id;
    seated: the players it began with; options: a value for each. log: every entry, undo and correct too. standing: what
    of it stands, each with its question as it reads now. guesses: for throws that the camera read, by their index in
    the log: (face, the likeliest face after it) of each die, those that were read least surely first.
    """

    number: int
    entries: int
    game: str = field(compare=False)
    seated: tuple[str, ...] = field(compare=False)
    options: Mapping[str, int | bool | str] = field(compare=False)
    log: tuple[Event, ...] = field(compare=False, repr=False)
    standing: tuple[Event, ...] = field(compare=False, repr=False)
    guesses: Mapping[int, tuple[tuple[int, int], ...]] = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Highlight:
    """A moment of a match that was played to its end, told by its number `n`.

    kind: "gain" is the most that a player gained at once, "comeback" how far behind the winner once was, "margin" by
    how much the match was won, "throws" how many there were, "often" and "rare" how often the commonest and the rarest
    `face` came. who: a player, empty where it is about nobody.
    """

    kind: str
    n: int
    who: str = ""
    face: int = 0


@dataclass(frozen=True, slots=True)
class ChipPattern:
    """The picture that a display shows in its test. chip: as which it is driven. number: of the picture, from 1."""

    chip: str
    number: int


@dataclass(frozen=True, slots=True)
class Snapshot:
    """What the table shows now.

    game: its name, empty before a match. players: in seat order, with scores beside (same length). asked: whose answer
    is waited for, empty if it is nobody's or everybody's. ask: the request in a few words ("throw 3 dice", "keep?",
    "roll or bank?"). at_stake: points that are not safe yet. offer: what BANK takes now ("bank 350", "keep 3 3",
    "ones to fours", "keep this 5?"), empty if it takes nothing. thrown: the faces last taken, and with them those of
    the turn set aside before; kept: for each, whether it is (or would be) set aside. hint: one line, empty if all is
    well. hold, bank: what each button does now, at most nine characters each, empty if it does nothing. sheet: rows
    of (label, one cell a player). reading: what the camera sees now. menu, spelling, entry: drawn instead of the table
    where one is not None. winners: empty until the match is over; why: what ended it. thrower: who threw what is shown
    as thrown, for as long as it is news, else empty. between: a turn has ended and the next has not begun: the moment
    for the ranking; fewest_win: the lowest score leads in it. cursor: the index in `thrown` of the die that is asked
    about, where a keep is asked die by die. pressed: the button that is down or was pressed a moment ago, and held: how
    much of a long press it has been held for, 0.0 to 1.0. tray: drawn beside what is asked, if that is about a die
    in it. question: what is chosen ("play which way round?") where BANK takes an option that does not say so by its
    points, else empty. happened: the newest events in words, oldest first, those taken back left out. rules: the rule
    text of the game, in its author's words. phrases: what views say of their own accord. answers: what BANK takes, as
    the referee gets it; empty where it only leads to other offers, or takes nothing. registering: the player asked lays
    a die, so that its colour is known. asking: the question itself, None where nothing is asked that a view could
    answer, such as a throw in a tray that the camera watches. record: the whole match, None before one. language: what
    the texts are in. layout: how the sheet is pictured (`LAYOUTS` of the rules). drawn: the sheet in the game's own
    words, the same in every language, for what pictures it; kinds: of its rows (`views.board`). counts: what scores
    count (`Game.counts`). course: the scores from the beginning to now, for a picture of it, empty if nobody keeps
    them; goal: the score that wins, 0 if there is none. number: of the match in the store,
    also behind a menu, 0 for none. pattern: a display draws this instead of the menu. covered: the dice lie under a
    cup, and nobody but their player has seen them. awaited: how many dice are to be thrown, those of all players where
    several throw at once. unread: a throw lies there that counts once BANK takes it. cheer: what the newest answers are
    celebrated for; highlights: the best moments, once the match is over. told: the hint only tells what happened.
    question_number: changes with what BANK answers, so that a command can name what its person saw.
    """

    game: str = ""
    players: tuple[str, ...] = ()
    scores: tuple[int, ...] = ()
    asked: str = ""
    ask: str = ""
    at_stake: int = 0
    offer: str = ""
    thrown: tuple[int, ...] = ()
    kept: tuple[bool, ...] = ()
    hint: str = ""
    hold: str = ""
    bank: str = ""
    sheet: tuple[tuple[str, ...], ...] = ()
    winners: tuple[str, ...] = ()
    paused: bool = False
    reading: Reading | None = field(default=None, repr=False)
    menu: MenuView | None = None
    spelling: Spelling | None = None
    entry: Entry | None = None
    why: str = ""
    thrower: str = ""
    between: bool = False
    fewest_win: bool = False
    cursor: int | None = None
    pressed: ButtonName | None = None
    held: float = 0.0
    tray: TrayDrawing | None = None
    question: str = ""
    happened: tuple[str, ...] = ()
    rules: str = field(default="", repr=False)
    phrases: Strings = field(default=ENGLISH_PHRASES, repr=False)
    answers: tuple[Answer, ...] = ()
    registering: bool = False
    asking: Asking | None = field(default=None, repr=False)
    record: MatchRecord | None = field(default=None, repr=False)
    language: Language = field(default=ENGLISH, repr=False)
    layout: str = "totals"
    drawn: tuple[tuple[str, ...], ...] = field(default=(), repr=False)
    kinds: tuple[str, ...] = field(default=(), repr=False)
    counts: str = "points"
    course: tuple[tuple[int, ...], ...] = field(default=(), repr=False)
    goal: int = 0
    number: int = 0
    pattern: ChipPattern | None = None
    covered: bool = False
    awaited: int = 0
    unread: bool = False
    cheer: str = ""
    highlights: tuple[Highlight, ...] = ()
    told: bool = False
    question_number: int = 0

    @property
    def stake(self) -> str:
        """What is at stake in words, or for a game of tiles how much is still open; empty if it is nothing."""
        words = self.phrases.still_open if self.layout == "tiles" else self.phrases.at_stake
        return words.format(n=self.at_stake) if self.at_stake else ""

    @property
    def over(self) -> str:
        """Who has won, in words; empty until then."""
        *others, last = self.winners or ("",)
        if not others:
            return self.phrases.wins.format(names=last) if last else ""
        return self.phrases.win.format(names=f"{', '.join(others)} {self.phrases.joined} {last}")
