"""What the table makes of rests and presses: answers to the request, or a hint. Pure.

Begin with `press_table`: it says what buttons and throws do, row by row. `rests.on_rest` and `pressing.on_press` are
the entries. `dice_state` finds which dice of a rest are new and which are set aside, `choices` the order in which
answers are offered and where HOLD has led among them, `offers` what BANK would take now. `unreadable` is about
dice that cannot be read, `hints` has what people are told if something cannot be taken.
"""

from tabletop.interpret.dice_state import TableMemory
from tabletop.interpret.offers import Offer, labels, offer
from tabletop.interpret.pressing import on_press
from tabletop.interpret.rests import Outcome, obvious, on_rest

__all__ = ["Offer", "Outcome", "TableMemory", "labels", "obvious", "offer", "on_press", "on_rest"]
