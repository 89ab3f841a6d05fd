"""What the table makes of rests and presses: answers to the game's question, or a hint. Pure.

Begin with `press_table`: it says what buttons and throws do, row by row. `hands` tells which dice of a rest are new and
which lie aside, `rows` in which order answers are offered, `walk` where HOLD has led among them, `offers` what BANK
would take now. `manners` (rests) and `pressing` (presses) put it together: `on_rest`, `on_press` and `obvious` are the
entries. `doubts` is about what cannot be read, `hints` has what people are told where something cannot be taken.
"""

from tabletop.interpret.dice_state import TableMemory
from tabletop.interpret.offers import Offer, labels, offer
from tabletop.interpret.pressing import on_press
from tabletop.interpret.rests import Outcome, obvious, on_rest

__all__ = ["Offer", "Outcome", "TableMemory", "labels", "obvious", "offer", "on_press", "on_rest"]
