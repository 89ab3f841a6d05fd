"""Own presets: what a match is begun with, kept under a name that somebody typed. Pure."""

from typing import Any

from tabletop.core.errors import InputError
from tabletop.core.message import say
from tabletop.dialogs.decisions import KeepPreset, RenamePreset
from tabletop.dialogs.setup_state import SetupContext
from tabletop.store.added_tables import MOST_PRESETS
from tabletop.web.setup.form import new_match
from tabletop.web.setup.names import checked_preset, plain


def kept(known: SetupContext, sent: dict[str, Any]) -> KeepPreset:
    """Keep what the form has: game, players in their seats, house rules; raises InputError if it cannot be played.

    `replace`: whether the preset that has this name is to go; without it that one stays, and InputError says so.
    """
    there = [preset.name for preset in known.presets]
    name = checked_preset(sent.get("name"), there)
    if name in there and sent.get("replace") is not True:
        raise InputError(say("{text} is there already", text=name))
    if name not in there and len(there) >= MOST_PRESETS:
        raise InputError(say("{n} presets are kept already: delete one first", n=len(there)))
    return KeepPreset(name, new_match(known, sent))


def renamed(known: SetupContext, sent: dict[str, Any]) -> RenamePreset:
    """Give a preset another name; raises InputError if another one has it."""
    name, others = sent.get("name"), [preset.name for preset in known.presets]
    if not isinstance(name, str) or name not in others:
        raise InputError(say("this preset is gone"))
    others.remove(name)
    new = checked_preset(sent.get("new"), ())
    if plain(new) in map(plain, others):
        raise InputError(say("{text} is there already", text=new))
    return RenamePreset(name, new)
