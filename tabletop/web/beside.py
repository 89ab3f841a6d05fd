"""What is worked out beside a match: the cost of decisions and luck, by commands of the table in a slow process."""

import asyncio
import json
import sys
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from tabletop.core.message import say
from tabletop.views.i18n.catalogue import Language
from tabletop.views.i18n.translate import GAME, NOTE, OFFER, phrases

Facts = Mapping[str, Any]
WAIT_S, FRESH_S, LONGEST_S = 0.15, 60.0, 900.0  # for one answer; until facts are old; for a command
WORST = 5  # decisions listed
RARE = 0.01  # a chance
MEANINGS = {
    "chance to win": say(
        "What each cost in chance to win, if both play best from there on. Behind the arrow: the best one."
    ),
    "points": say("What each cost in points, on average. Behind the arrow: the best one."),
}
NOW = {
    "chance to win": say("The best answers, and what the others cost in chance to win."),
    "points": say("The best answers, and what the others cost in points, on average."),
}
UNITS = {"points": say("in points"), "pips": say("in pips")}
HEADS = (say("player"), say("thrown"), say("beyond the average"), say("chance alone, 19 times in 20"))
FLAGGED = say("A marked face: neither fair dice nor the usual misreads explain it. Test the die, and the reader.")
CALM = say("Nothing here that fair dice and the usual misreads do not explain.")
ALONE = say("Fewer cannot rule that out, and one such die can hide among fair ones: throw it alone.")
LIMITS = (
    say("All intervals hold together in 99 of 100 such reports, with the reader's usual misreads in them."),
    say("In points: against the average of the same decisions. In pips: against the average of the dice."),
    say("One player in 20 is beyond chance by chance. It says nothing about the next throw."),
)


class Beside:
    """Runs one command at a time, gently, and keeps its facts for a minute."""

    def __init__(self) -> None:
        self._asked: tuple[str, ...] = ()
        self._work: asyncio.Task[tuple[Facts, float]] | None = None

    async def facts(self, *asked: str, moment: int = 0) -> Facts | None:
        """Return what a command says with `--json`, empty if it refuses; None while a command is at work.

        moment: facts of another moment are old.
        """
        old_s, named = asyncio.get_running_loop().time() - FRESH_S, (*asked, str(moment))
        if self._work is None or (self._work.done() and (named != self._asked or self._work.result()[1] < old_s)):
            self._asked, self._work = named, asyncio.create_task(_report(asked))
        await asyncio.wait({self._work}, timeout=WAIT_S)
        return self._work.result()[0] if self._work.done() and named == self._asked else None


async def _report(asked: tuple[str, ...]) -> tuple[Facts, float]:
    """Return the facts, and when they were there. The process takes only time that the match leaves."""
    command = ("nice", "-n", "19", sys.executable, "-m", "tabletop", *asked, "--json")
    pipe, nothing, facts = asyncio.subprocess.PIPE, asyncio.subprocess.DEVNULL, {}
    with suppress(OSError, ValueError, TimeoutError):
        working = await asyncio.create_subprocess_exec(*command, stdin=nothing, stdout=pipe, stderr=nothing)
        try:
            said, _ = await asyncio.wait_for(working.communicate(), LONGEST_S)
            facts = json.loads(said)
        finally:
            with suppress(ProcessLookupError):
                working.kill()
    return facts, asyncio.get_running_loop().time()


def costs(facts: Facts | None, language: Language, entries: int = 0) -> dict[str, Any]:
    """Return what decisions cost as JSON values: whether the table is still `working`, `notes`, and the `worst`.

    entries: in the log of a coached match; then the answers to its question are returned, the best first.
    """
    facts = None if facts and entries not in (0, facts["log"]) else facts  # the table has moved on: ask again
    made, notes = (facts or {}).get("decisions", []), list[str]()
    worst = (
        made[:WORST]
        if entries
        else sorted((one for one in made if one["cost"]), key=lambda one: -float(one["cost"]))[:WORST]
    )
    if not made:
        wait = say("Working it out. The first time for a game takes minutes.")
        notes = [wait if facts is None else say("The best play here is not known.")]
    elif facts and entries:
        notes = [NOW[facts["unit"]]]
    elif facts:
        notes = [MEANINGS[facts["unit"]]]
        for name in dict.fromkeys(one["player"] for one in made):
            own = [one["cost"] for one in made if one["player"] == name]
            notes.append(say("{name}: {n} of {n2} decisions were best", name=name, n=own.count(0), n2=len(own)))
    done = [one | {key: _done(one[key], language) for key in ("did", "best")} for one in worst]
    said = {"working": facts is None, "notes": [language.translate(note, NOTE) for note in notes]}
    return said | {"worst": done, "percent": (facts or {}).get("unit") == "chance to win"}


def _done(text: str, language: Language) -> str:
    words, (kind, _, faces) = phrases(language).page, text.partition(" ")
    if kind != "keep":
        return language.translate(text, OFFER)
    return words["keep_nothing"] if faces == "nothing" else words["keep"].format(faces=faces)


def luck(facts: Facts | None, language: Language) -> dict[str, Any]:
    """Return the luck report as JSON values: the facts with texts beside them, `working` while there are none."""

    def said(text: str) -> str:
        return language.translate(text, NOTE)

    notes, sets, words = [say("Working it out.")], list[Facts](), phrases(language)
    if facts:
        fair, after = not any(one["deviating"] for one in facts["sets"]), facts["found_after"]
        found = say("Dice that all show 6 one time in five are found after about {n} of them.", n=after)
        notes = [CALM if fair else FLAGGED, found, ALONE, *LIMITS]
    for one in facts["sets"] if facts else ():
        colour, _, die = one["dice"].rpartition(" ")
        name = say("die: {place}", place=colour) if die == "die" else {"all": say("all dice")}.get(die, one["dice"])
        often = say("Fair dice deviate at least as far in {n} of 100 cases.", n=round(100 * one["chance_of_fair"]))
        note = (
            often if one["chance_of_fair"] >= RARE else say("Fair dice deviate so far in less than one of 100 cases.")
        )
        sets.append({**one, "dice": language.translate(name, GAME), "note": said(note)})
    rows = [
        {**one, "game": f"{language.translate(one['game'], GAME)}, {said(UNITS[one['unit']])}"}
        for one in (facts["players"] if facts else ())
    ]
    told = {"working": facts is None, "notes": [*map(said, notes)], "heads": [*map(said, HEADS)]}
    page = {"language": words.language_code, "title": words.form["dice_luck"]}
    page |= {name: words.page[name] for name in ("back", "thousands")}
    return {**page, **told, "sets": sets, "players": rows}
