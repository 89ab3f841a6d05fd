"""The referee: games are coroutines that ask questions, matches are lists of events. Games are imported on demand."""

from tabletop.core.message import join, say
from tabletop.rules.catalog import built_in_ids, game_ids, is_id, load, named
from tabletop.rules.events import COUNTED, Correction, Event
from tabletop.rules.game import CALLED, Game, Result
from tabletop.rules.match import Match
from tabletop.rules.names import LONGEST_NAME, quoted
from tabletop.rules.options import COACH, RULES, AnyOption, Choice, Flag, Value, Whole
from tabletop.rules.requests import HIDDEN, Answer, Choose, Faces, Keep, Request, Throw, answer_text, faces_text
from tabletop.rules.table import Table

__all__ = ["CALLED", "COACH", "COUNTED", "HIDDEN", "LONGEST_NAME", "RULES", "Answer", "AnyOption", "Choice"]
__all__ += ["Choose", "Correction", "Event", "Faces", "Flag", "Game", "Keep", "Match", "Request", "Result", "Table"]
__all__ += ["Throw", "Value", "Whole", "answer_text", "built_in_ids", "faces_text", "game_ids", "is_id", "join", "load"]
__all__ += ["named", "quoted", "say"]
