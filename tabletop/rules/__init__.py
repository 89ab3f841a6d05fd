"""The referee: games are coroutines that ask questions, matches are lists of events. Games are imported on demand."""

from tabletop.core.message import join, say
from tabletop.rules.catalog import built_in_ids, game_ids, is_id, load, named
from tabletop.rules.events import COUNTED, Correction, Event
from tabletop.rules.game import CALLED, Game, Result
from tabletop.rules.match import Match
from tabletop.rules.names import LONGEST_NAME, quoted
from tabletop.rules.options import RULES, AnyOption, Choice, Flag, Value, Whole
from tabletop.rules.requests import HIDDEN, Answer, Choose, Faces, Keep, Request, Throw, answer_text, faces_text
from tabletop.rules.table import Table

__all__ = ["CALLED", "COUNTED", "HIDDEN", "LONGEST_NAME", "RULES", "Answer", "AnyOption", "Choice", "Choose"]
__all__ += ["Correction", "Event", "Faces", "Flag", "Game", "Keep", "Match", "Request", "Result", "Table", "Throw"]
__all__ += ["Value", "Whole", "answer_text", "built_in_ids", "faces_text", "game_ids", "is_id", "join", "load", "named"]
__all__ += ["quoted", "say"]
