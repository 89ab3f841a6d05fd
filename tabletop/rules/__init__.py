"""The referee: games as coroutines that ask three questions, matches made of events. It imports no game by itself."""

from tabletop.rules.catalog import game_ids, load
from tabletop.rules.events import Correction, Event
from tabletop.rules.match import Match
from tabletop.rules.requests import Answer, Choose, Keep, Request, Throw

__all__ = ["Answer", "Choose", "Correction", "Event", "Keep", "Match", "Request", "Throw", "game_ids", "load"]
