"""Two players at a table with two buttons and dice in a tray: one reads the screen, the other only hears the voice.

Both decide in the same way, from the dice, the scores, the points at stake and all that can be chosen: `Facts`. A fact
that one of them lacks makes them play another match.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Literal

from somebody import Somebody

from tabletop.core.message import say
from tabletop.interpret.offers import BACK, STOPS
from tabletop.interpret.press_table import PRESS_TABLE
from tabletop.rules import Answer, Choose, Keep, Match
from tabletop.rules.table import REVEAL
from tabletop.session.snapshotting import LAST_THROW_S, THROW_ONE
from tabletop.views.i18n.catalogue import Language
from tabletop.views.i18n.translate import phrases, translated
from tabletop.views.snapshot import Snapshot
from tabletop.views.speech import remembered, spoken

Words = tuple[str, ...]
Faces = tuple[int, ...]
Press = Literal["hold", "bank"]
LATER_S = (0.0, 0.2, 5.0)  # when the table is listened to: at once, and when a message has gone
THOROUGH = 6  # one of so many keeps is chosen from all that there are, the others are what is offered first
MOST_STEPS = 4000  # decisions and throws of a match: none takes longer
HAS, THROW = "{name} now has {text}", "throw {n} dice"  # ids in the catalogue
THROWS = (THROW_ONE, REVEAL, say("all throw"), say("show your dice"), say("all dice into the tray"))
MOST_PRESSES = 200  # to an option
POINTS = ("point", "points", "Punkt", "Punkte")


@dataclass(frozen=True)
class Facts:
    """What somebody knows who decides. options: the words of each, numbers included, without punctuation."""

    kind: str
    asked: str
    dice: Faces
    scores: tuple[tuple[str, int], ...]
    stake: int = 0
    options: frozenset[Words] = frozenset()

    def draw(self, seed: int, share: int) -> int:
        """Return a number below `share` that these facts lead to."""
        known = (seed, self.kind, self.asked, self.dice, self.scores, self.stake, sorted(self.options))
        return Random(repr(known)).randrange(share)

    def choice(self, seed: int) -> Words:
        return sorted(self.options)[self.draw(seed, len(self.options))]


def words(text: str) -> Words:
    found = re.findall(r"-?\w+", text.replace("\N{MULTIPLICATION SIGN}", " x "))
    return tuple(word for word in found if word not in POINTS)


class Table:
    """A table with a camera that reads every die. heard: what was said since it was last asked."""

    def __init__(self, somebody: Somebody, match: Match, language: Language, seed: int) -> None:
        self.somebody, self.language = somebody, language
        self.match = somebody.play(match)
        self.chance, self._said = Random(seed), Snapshot()
        self.shown = Snapshot()

    def press(self, button: Press, *, long: bool = False) -> str:
        return self.listen(self.somebody.press(button, long=long))

    def throw(self, count: int | None, kept: Faces | None = None) -> str:
        """Throw so many dice, None for all that are under cups or everybody's. kept: set aside now, None for before."""
        due, somebody = self.match.request.dice, self.somebody
        if count is None:
            count = due if isinstance(due, int) else sum(due.values())
        lying = [face for face, _, _ in somebody.tray.dice]
        stays = list(self.match.kept if kept is None else (*self.match.kept, *kept))
        for face in stays if len(stays) + count == len(lying) else ():
            if face in lying:
                lying.remove(face)
        if lying:
            somebody.tray.pick_up(*lying)
        somebody.now_s += 1.0
        somebody.tray.now_s = somebody.now_s
        somebody.tray.throw(*(self.chance.randint(1, 6) for _ in range(count)))
        return self.listen(somebody.sees())

    def end(self) -> str:
        """Wait until the winner is shown after the last throw."""
        self.somebody.now_s += LAST_THROW_S
        return self.listen()

    def listen(self, *shown: Snapshot) -> str:
        """Return what is said about this, and until nothing more happens."""
        return ". ".join(text for now in (*shown, *self._later()) if (text := self._spoken(now)))

    def _later(self) -> Iterator[Snapshot]:
        for later_s in LATER_S:
            self.somebody.now_s += later_s
            yield self.somebody.table.tick(self.somebody.now_s)

    def _spoken(self, shown: Snapshot) -> str:
        self.shown = shown
        now = translated(shown, self.language)
        text, self._said = spoken(self._said, now), remembered(self._said, now)
        return text


class Player:
    """Somebody who plays for everybody at the table. facts: all that was decided from."""

    def __init__(self, table: Table, seed: int) -> None:
        self.table, self.seed, self.facts = table, seed, list[Facts]()

    def chosen(self, facts: Facts) -> Words:
        self.facts.append(facts)
        return facts.choice(self.seed)

    def drawn(self, facts: Facts, share: int) -> int:
        self.facts.append(facts)
        return facts.draw(self.seed, share)

    def act(self) -> None:
        raise NotImplementedError

    def hear(self, text: str) -> None:
        """Listen, or not."""

    def play(self) -> None:
        for _ in range(MOST_STEPS):
            if self.table.match.over:
                return self.hear(self.table.end())
            self.act()
        raise AssertionError("a match without end")


class Seeing(Player):
    """Plays with the screen: what it decides comes from the snapshot, not from the voice."""

    def __init__(self, table: Table, seed: int) -> None:
        super().__init__(table, seed)
        table.listen()

    def act(self) -> None:
        table, shown = self.table, self.table.shown
        kind, asking = table.match.request.kind, shown.asking
        if kind == "roll":
            table.throw(None)
        elif kind == "hide" or asking is None:
            table.press("bank")
        elif asking.kind == "stop":
            if self.drawn(self._facts("stop", stake=shown.at_stake), 2):
                table.press("bank")
            else:
                table.press("hold")
                table.press("hold")
        elif asking.kind == "keep":
            self._keep(asking.legal)
        else:
            self._choose(asking.kind)

    def _choose(self, kind: str) -> None:
        named = translated(self.table.shown, self.table.language).asking
        assert named is not None
        options = {}
        for option in named.options:
            own = words(option.label)
            gives = () if option.gives is None else (str(option.gives),)
            if own[-1:] == gives and not option.label.replace(" ", "").isdigit():
                gives = ()  # "move 3" holds it already
            options[(*own, *gives)] = Choose(option.option)
        self._walk(options[self.chosen(self._facts(kind, frozenset(options)))])
        self.table.press("bank")

    def _keep(self, legal: Sequence[Faces]) -> None:
        first = self.table.shown.answers[0]
        assert isinstance(first, Keep)
        part = first.faces
        if self.drawn(self._facts("keep"), THOROUGH) == 0:
            options = {tuple(map(str, sorted(part))): part for part in legal}
            part = options[self.chosen(self._facts("keep", frozenset(options)))]
            self._walk(Keep(part))
        facts = self._facts("keep or roll", frozenset({tuple(map(str, part))}))
        due = len(facts.dice) - len(part)
        if len(self.table.shown.answers) > 1 and due > 0 and self.drawn(facts, 2):
            self.table.throw(due, part)
        else:
            self.table.press("bank")

    def _walk(self, wanted: Answer) -> None:
        """Press HOLD, and BANK for groups and dice, until BANK takes this."""
        opened = set[str]()
        for _ in range(MOST_PRESSES):
            now = self.table.shown
            if now.answers[:1] == (wanted,):
                return
            group = not now.answers and now.cursor is None and now.offer not in opened
            opened |= {now.offer} - {BACK} if group else set()
            self.table.press("bank" if group or _keeps_die(now, wanted) else "hold")
        raise AssertionError(f"never offered: {wanted}")

    def _facts(self, kind: str, options: frozenset[Words] = frozenset(), stake: int = 0) -> Facts:
        now = self.table.shown
        assert now.record is not None
        throws = [event.value for event in now.record.standing if event.kind == "throw"]
        dice = throws[-1] if throws else ()
        assert isinstance(dice, tuple)
        scores = tuple(sorted(zip(now.players, now.scores, strict=True)))
        return Facts(kind, now.asked, dice, scores, stake, options)


def _keeps_die(now: Snapshot, wanted: Answer) -> bool:
    if now.cursor is None or now.asking is None or not isinstance(wanted, Keep):
        return False
    face = now.thrown[now.cursor]
    marked = [at for at, kept in enumerate(now.kept) if kept and at not in now.asking.fixed and now.thrown[at] == face]
    return wanted.faces.count(face) > len(marked)


class Hearing(Player):
    """Plays with closed eyes: it throws, presses, and hears. It knows the words of its language and who plays."""

    def __init__(self, table: Table, seed: int) -> None:
        super().__init__(table, seed)
        self._words = Spoken(table.language)
        self._players = table.match.players
        self._hold = self._bank = self._offer = self.asked = ""
        self._due: int | None = None
        self._throws = self._news = self.over = False
        self.dice: Faces = ()
        self.scores, self.stake = dict.fromkeys(self._players, 0), 0
        self.hear(table.listen())

    def act(self) -> None:
        known = self._words
        if self._throws:
            self.hear(self.table.throw(self._due), thrown=True)
        elif self._bank == known.done:
            self._press("bank")
        elif self._hold in known.rolls:
            if self.drawn(self._facts("stop", stake=self.stake), 2):
                self._press("bank")
            else:
                self._press("hold")
                self._press("hold")
        elif known.part(self._offer) is not None and self._bank in known.keeps:
            self._keep()
        else:
            kind = "claim" if self._bank == known.claim else "choose"
            paths = self._explored()
            self._walk(paths, self.chosen(self._facts(kind, frozenset(paths))))
            self._press("bank")

    def _keep(self) -> None:
        if self.drawn(self._facts("keep"), THOROUGH) == 0:
            paths = self._explored()
            self._walk(paths, self.chosen(self._facts("keep", frozenset(paths))))
        part = self._words.part(self._offer)
        assert part is not None, self._offer
        due = len(self.dice) - len(part)
        facts = self._facts("keep or roll", frozenset({part}))
        if self._bank in self._words.stops and due > 0 and self.drawn(facts, 2):
            self.hear(self.table.throw(due, tuple(map(int, part))), thrown=True)
        else:
            self._press("bank")

    def _option(self) -> Words:
        part = self._words.part(self._offer) if self._bank in self._words.keeps else None
        return words(self._offer) if part is None else tuple(sorted(part))

    def _explored(self) -> dict[Words, tuple[Press, ...]]:
        """Walk through all that can be chosen, back to the beginning; return the presses that lead to each."""
        found = dict[Words, tuple[Press, ...]]()
        self._explore_row((), found)
        return found

    def _explore_row(self, way: tuple[Press, ...], found: dict[Words, tuple[Press, ...]]) -> None:
        first, start = self._offer, way
        while True:
            if self._bank == self._words.back:
                return self._press("bank")
            if self._hold == self._words.leave:
                return self._explore_dice(way, found)
            if self._bank == self._words.open:
                self._press("bank")
                self._explore_row((*way, "bank"), found)
            else:
                found[self._option()] = way
            self._press("hold")
            way = (*way, "hold")
            if self._offer == first and not start:
                return None

    def _explore_dice(self, way: tuple[Press, ...], found: dict[Words, tuple[Press, ...]]) -> None:
        """Answer the questions about the dice in every way; they come last in their row."""
        left = list[tuple[Press, ...]]([()])
        while left:
            answers = left.pop()
            self._press(*(*way, *answers) if answers else ())
            while self._hold == self._words.leave:
                left.append((*answers, "bank"))
                answers = (*answers, "hold")
                self._press("hold")
            found[self._option()] = (*way, *answers)
            self._press("hold")

    def _walk(self, paths: dict[Words, tuple[Press, ...]], wanted: Words) -> None:
        self._press(*paths[wanted])
        assert self._option() == wanted, (self._offer, wanted)

    def _press(self, *buttons: Press) -> None:
        for button in buttons:
            self.hear(self.table.press(button))

    def _facts(self, kind: str, options: frozenset[Words] = frozenset(), stake: int = 0) -> Facts:
        return Facts(kind, self.asked, self.dice, tuple(sorted(self.scores.items())), stake, options)

    def hear(self, text: str, *, thrown: bool = False) -> None:
        """Take in what is said. thrown: dice have just been thrown."""
        parts = re.split(r"(?<=[?]) |\. ", text)
        if any(part.startswith(LABELS) for part in parts):
            self._hold = self._bank = ""
        if text:
            self._throws = False
        self._news = thrown
        for part in parts:
            self._hear(part)

    def _hear(self, part: str) -> None:
        known = self._words
        name, colon, rest = part.partition(": ")
        if name == "HOLD":
            self._hold = rest
        elif name == "BANK":
            self._bank = rest
        elif score := known.has.fullmatch(part):
            self.scores[score["name"]] = int(score["n"])
        elif stake := known.stake.fullmatch(part):
            self.stake = int(stake["n"])
        elif known.wins.fullmatch(part):
            self.over = True
        elif colon and name in self._players:
            self.asked = name
            self._hear_asked(rest)
        elif part:
            self._hear_asked(part)

    def _hear_asked(self, ask: str) -> None:
        known = self._words
        count = known.throw.fullmatch(ask)
        if self._news and FACES.fullmatch(ask):
            self.dice, self._news = tuple(map(int, ask.split(", "))), False
        elif count or ask in known.throws:
            self._throws = True
            self._due = int(count["n"]) if count else 1 if ask == known.throws[0] else None
        else:
            self._offer = ask


LABELS = ("HOLD: ", "BANK: ")
FACES = re.compile(r"\d+(, \d+)*")
KEEPS = ("keep {faces}, bank {n}", "keep {faces}, stop {n}", "keep {faces}, bank", "keep {faces}, stop", "keep {faces}")


class Spoken:
    """The words of a language that tell a listener what to do."""

    def __init__(self, language: Language) -> None:
        def label(text: str) -> str:
            return language.translate(text, ("buttons",))

        def heard(text: str, section: str) -> re.Pattern[str]:
            line = re.escape(language.template(text, (section,))).replace(r"\{", "{").replace(r"\}", "}")
            groups = {
                "n": r"(?P<n>-?\d+)",
                "name": r"(?P<name>\w+)",
                "faces": r"(?P<faces>[\d, ]+)",
                "names": ".+",
                "text": r"(?P<n>-?\d+) \w+",
            }
            return re.compile(line.format(**groups))

        row = PRESS_TABLE
        self.done, self.claim = label(row["hide"].bank.label), label(row["claim"].bank.label)
        self.leave, self.open = label(row["die by die"].hold.label), label(row["group"].bank.label)
        self.back = label(row["back"].bank.label)
        self.rolls = (label(row["roll or stop"].hold.label), label(row["asked again"].hold.label))
        self.stops = tuple(map(label, STOPS))
        self.keeps = (label(row["keep"].bank.label), *self.stops)
        self.throws = tuple(language.translate(text, ("asks",)) for text in THROWS)
        self.throw, self.has = heard(THROW, "asks"), heard(HAS, "said")
        own = phrases(language)
        self.stake = re.compile(re.escape(own.at_stake).replace(r"\{n\}", r"(?P<n>\d+)"))
        self.wins = re.compile("|".join(re.escape(line).replace(r"\{names\}", ".+") for line in (own.wins, own.win)))
        self._parts = [heard(line, "offers") for line in KEEPS]
        self._nothing = language.translate("nothing", ("sheet",))

    def part(self, offer: str) -> Words | None:
        """Return the dice that an offer keeps, None if it keeps none."""
        for form in self._parts:
            if found := form.fullmatch(offer.replace(self._nothing, " ")):
                return tuple(re.findall(r"\d+", found["faces"]))
        return None
