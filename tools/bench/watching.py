"""Time from rest to taken throw, at several frame rates, in the simulated living room."""

from collections.abc import Iterator
from random import Random
from statistics import median

from tools.bench.end_to_end import watch_world
from tools.bench.figure import MS_PER_S, Figure, one_core

RATES = (10.0, 15.0, 30.0, 60.0)  # frames per second that the table must cope with
QUICK_RATES = RATES[:1]
SCENES = ("plain", "hand_in_the_way", "die_on_the_floor", "kept_lying", "lamp_switched", "in_parts", "open_palm")
QUICK_SCENES = SCENES[:1]
SEED = 11


def world_figures(*, quick: bool) -> Iterator[Figure]:
    """Measure the simulated time from the first frame with all dice still and in view until the throw is taken."""
    for rate in QUICK_RATES if quick else RATES:
        with one_core():
            chance = Random(SEED)
            result = watch_world(QUICK_SCENES if quick else SCENES, chance, fps=rate)
        failed = len(result.wrong) + len(result.missed) + len(result.false)
        delays_ms = [MS_PER_S * delay_s for delay_s in result.delays_s]
        note = f"simulated time, {result.throws} throws, {failed} failed"
        if delays_ms:
            note += f", worst {max(delays_ms):.0f} ms"
        value = median(delays_ms) if delays_ms else None
        yield Figure(f"rest to throw at {rate:g} frames a second", value, "ms", len(delays_ms), note)
