"""The one value that every view draws: table, request and reading, frozen at one moment."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from tabletop.core import ports, values
from tabletop.rules import Answer, Event
from tabletop.views.i18n.catalogue import ENGLISH, ENGLISH_PHRASES, Language, Strings


@dataclass(frozen=True, slots=True)
class MenuView:
    """A list in which HOLD steps and BANK takes.

    items: never empty. at: the index of the selected item. note: one line about that item, may be empty. given: the
    indices of items that are names, which are never translated. sheet: the items are rows of the score sheet, each
    "row: cell". weighty: the note matters more than the title. main: the menu itself, or the start, not a page behind
    it. guided: a page of the camera setup; corners: the tray's corners may be marked in its picture now; tray: the
    corners marked so far, as fractions of the picture, if no marker shows them. leave: the index of the item that goes
    back, on pages where long BANK takes the current item; None if long BANK goes back. faces: the dice that illustrate
    the selected game. throws: how many the camera setup has counted, in its step about dice; None elsewhere.
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
    throws: int | None = None


@dataclass(frozen=True, slots=True)
class Spelling:
    """A name being entered letter by letter: HOLD steps through the letters, BANK takes.

    text: the letters so far. letters: the choices of HOLD, single letters and words such as "done"; at: the index of
    the selected one.
    """

    title: str
    text: str
    letters: tuple[str, ...]
    at: int = 0


@dataclass(frozen=True, slots=True)
class Entry:
    """Faces being entered with the buttons, die by die: HOLD counts up, BANK accepts.

    who: the owner of the dice. faces: those entered so far. due: the total number of dice. face: the selected face; 0
    for something that is not a die.
    """

    who: str
    faces: tuple[int, ...]
    due: int
    face: int = 1


@dataclass(frozen=True, slots=True)
class DieInTray:
    """A die in a drawing of the tray.

    x, y: its centre, as fractions of the tray's width and height from its top left, 0.0 to 1.0. face: 0 if unreadable.
    asked: it is in question, and blinks.
    """

    x: float
    y: float
    face: int = 0
    asked: bool = False


@dataclass(frozen=True, slots=True)
class TrayDrawing:
    """The places of the dice, for a small drawing. shape: the tray's width divided by its height."""

    shape: float
    dice: tuple[DieInTray, ...]


@dataclass(frozen=True, slots=True)
class Option:
    """One option of a choice or a claim. option: for the referee. label: for users.

    gives: the points it would score now, None without points. group: equal for options that are listed together, empty
    without groups. row: the index of its row in the sheet, None if it has none.
    """

    option: str
    label: str
    gives: int | None = None
    group: str = ""
    row: int | None = None


@dataclass(frozen=True, slots=True)
class Asking:
    """The current question, for views in which people can answer it directly.

    moment: identifies the question: the number of the match, and the length of its log. kind: "keep", "choose",
    "claim", "stop" for rolling on or ending the turn, or "roll" if the faces are entered by hand. legal: the parts that
    may be kept, best first; bank: how the turn could end after BANK's keep, with the points, None if it cannot. fixed:
    the indices in `thrown` of dice that stay kept in any case. options: in the order of the game; at: the index of the
    one that BANK takes, None if it takes none. due: the players and the number of dice to enter, in seat order; joint:
    they are thrown at once. boxes: for a keep, the options if all dice were kept, each with its score for the current
    dice; empty if keeping all leads to no box. again: how many dice are thrown after keeping all, 0 if that ends the
    throwing.
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
    """The match from its beginning, for views that show more than the newest events.

    number: of the match. entries: the length of its log; equality compares only these two. game: its id; seated: the
    players it began with; options: a value for each. log: every entry, undo and correct included. standing: the events
    in force, each with its current question. guesses: for throws read by the camera, by log index: (face, second
    likeliest face) of each die, the least certain first.
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
    """A highlight of a finished match, described by its number `n`.

    kind: "gain" is the most points gained at once, "comeback" how far behind the winner once was, "margin" by how much
    the match was won, "throws" how many there were, "often" and "rare" how often the commonest and the rarest `face`
    came. who: a player, empty if it is about nobody.
    """

    kind: str
    n: int
    who: str = ""
    face: int = 0


@dataclass(frozen=True, slots=True)
class ChipPattern:
    """A display's test picture. chip: the chip it is drawn for. number: of the picture, from 1."""

    chip: str
    number: int


@dataclass(frozen=True, slots=True)
class Scan:
    """A code for phones. content: of the QR code. lines: the same in letters, beside it."""

    content: str
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The state of the table, as shown by every view.

    game: its name, empty before a match. players: in seat order, with scores beside (same length). asked: the player
    who must answer, empty for nobody or everybody. ask: the request as a short text ("throw 3 dice", "keep?", "roll or
    bank?"). at_stake: points that are not safe yet. offer: what BANK takes now ("bank 350", "keep 3 3", "ones to
    fours", "keep this 5?"), empty if nothing. thrown: the last faces, including those set aside earlier in the turn;
    kept: for each, whether it is (or would be) set aside. hint: one line, empty if all is well. hold, bank: the labels
    of the buttons, at most nine characters each, empty if they do nothing. sheet: rows of (label, one cell for each
    player). reading: what the camera sees now. menu, spelling, entry: drawn instead of the table if not None. winners:
    empty until the match is over; why: what ended it. thrower: the player of the throw shown, while it is news, else
    empty. between: a turn has ended and the next has not begun: time for the ranking; fewest_win: the lowest score
    leads in it. cursor: the index in `thrown` of the die in question, in die-by-die questions. pressed: the button that
    is down or was just pressed; held: the elapsed part of a long press, 0.0 to 1.0. tray: drawn beside the question, if
    that is about a die in it. question: what to choose ("play which way round?") if the option of BANK does not show
    that by its points, else empty. happened: the newest events as texts, oldest first, without those undone. rules: the
    rule text of the game, in its author's words. phrases: the views' fixed texts. answers: what BANK takes, for the
    referee; empty if it only leads to other offers, or takes nothing. registering: the player asked must lay down a die
    to register its colour. asking: the question itself, None if views cannot answer it, such as a throw in a tray that
    the camera watches. record: the whole match, None before one. language: of the texts. layout: how the sheet is drawn
    (`LAYOUTS` of the rules). drawn: the sheet in the game's own words, the same in every language, for drawing it;
    kinds: of its rows (`views.board`). counts: what scores count (`Game.counts`). course: the scores from the beginning
    to now, for a chart, empty if not recorded; goal: the score that wins, 0 if there is none. number: of the match in
    the store, also behind a menu, 0 if there is none. pattern: drawn by a display instead of the menu. scan: the same,
    seen at the table only, never on the page. covered: the
    dice lie under a cup, and only their player has seen them. awaited: how many dice are to be thrown, of all players
    in a joint throw. unread: a throw lies there that counts once BANK takes it. cheer: the announcement about the
    newest answers; highlights: the best moments, once the match is over. told: the hint only reports what happened.
    question_number: changes with the meaning of BANK, so that a command can name what its sender saw. welcome: a
    display shows how to connect the first phone instead; any press ends that.
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
    reading: values.Reading | None = field(default=None, repr=False)
    menu: MenuView | None = None
    spelling: Spelling | None = None
    entry: Entry | None = None
    why: str = ""
    thrower: str = ""
    between: bool = False
    fewest_win: bool = False
    cursor: int | None = None
    pressed: ports.ButtonName | None = None
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
    scan: Scan | None = field(default=None, repr=False)
    covered: bool = False
    awaited: int = 0
    unread: bool = False
    cheer: str = ""
    highlights: tuple[Highlight, ...] = ()
    told: bool = False
    question_number: int = 0
    welcome: bool = False

    @property
    def stake(self) -> str:
        """The points at stake as a text, or the total of the open tiles; empty if there are none."""
        words = self.phrases.still_open if self.layout == "tiles" else self.phrases.at_stake
        return words.format(n=self.at_stake) if self.at_stake else ""

    @property
    def over(self) -> str:
        """The winners as a text; empty until the end."""
        *others, last = self.winners or ("",)
        if not others:
            return self.phrases.wins.format(names=last) if last else ""
        return self.phrases.win.format(names=f"{', '.join(others)} {self.phrases.joined} {last}")
