"""The referee: games are coroutines that ask questions, matches are lists of events. Games are imported on demand."""

from tabletop.core.message import join, say
from tabletop.rules.catalog import game_ids, load
from tabletop.rules.events import Correction, Event
from tabletop.rules.game import Game, Result
from tabletop.rules.match import Match
from tabletop.rules.options import Choice, Flag, Value, Whole
from tabletop.rules.requests import Answer, Choose, Faces, Keep, Request, Throw, faces_text
from tabletop.rules.table import Table

__all__ = ["Answer", "Choice", "Choose", "Correction", "Event", "Faces", "Flag", "Game", "Keep", "Match", "Request"]
__all__ += ["Result", "Table", "Throw", "Value", "Whole", "faces_text", "game_ids", "join", "load", "say"]
