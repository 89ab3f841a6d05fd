"""The training itself: rendered tiles in, a network out, the same for the same seed and number of steps."""

import copy
import time
from collections.abc import Callable

import numpy as np
import torch

from tabletop.trainer.lesson import lesson
from tabletop.trainer.loss import Lesson, loss
from tabletop.trainer.network import EyeNetwork, normalised
from tabletop.trainer.tiles import Tiles, varied

BATCH = 32
FASTEST = 2.5e-3  # learning rate at its height
WARM_SHARE = 0.04  # of all steps, while the rate rises
DECAY = 0.01
KEPT = 0.998  # of the averaged weights at each step
REPORT_STEPS = 100


def learned(tiles: Tiles, *, steps: int, seed: int, say: Callable[[str], None]) -> EyeNetwork:
    """Return the averaged network after that many steps of BATCH tiles each."""
    torch.manual_seed(seed)
    rng = np.random.default_rng((seed, 1))
    network = EyeNetwork()
    network.to(memory_format=torch.channels_last)
    average = copy.deepcopy(network)
    teacher = torch.optim.AdamW(network.parameters(), lr=FASTEST, weight_decay=DECAY)
    pace = torch.optim.lr_scheduler.OneCycleLR(teacher, FASTEST, total_steps=steps, pct_start=WARM_SHARE)
    begun, recent = time.monotonic(), 0.0
    for step in range(steps):
        chosen = rng.integers(0, len(tiles.pixels), BATCH)
        crops, wanted = _batch(tiles, chosen, rng)
        with torch.autocast("cpu", dtype=torch.bfloat16):  # half the time where the processor has it
            answer = network(normalised(crops).contiguous(memory_format=torch.channels_last))
        off = loss(answer.float(), wanted)
        teacher.zero_grad(set_to_none=True)
        off.backward()
        torch.nn.utils.clip_grad_norm_(network.parameters(), 5.0)
        teacher.step()
        pace.step()
        _follow(average, network, min(KEPT, (step + 1) / (step + 10)))
        recent = off.item() if not step else 0.98 * recent + 0.02 * off.item()
        if step % REPORT_STEPS == 0 or step == steps - 1:
            say(f"step {step} of {steps}: loss {recent:.4f}, {time.monotonic() - begun:.0f} s")
    average.eval()
    return average


def _batch(tiles: Tiles, chosen: np.ndarray, rng: np.random.Generator) -> tuple[torch.Tensor, Lesson]:
    crops, answers = [], []
    for index in chosen:
        crop, truth, seen = varied(tiles.pixels[index], tiles.truth[index], rng)
        crops.append(crop)
        answers.append(lesson(truth, seen))
    fields = [torch.from_numpy(np.stack(parts)) for parts in zip(*answers, strict=True)]
    return torch.from_numpy(np.stack(crops)), Lesson(*fields)


def _follow(average: EyeNetwork, network: EyeNetwork, kept: float) -> None:
    """Move the averaged weights, and the averaged statistics of the batches, towards the network's."""
    with torch.no_grad():
        for old, new in zip(average.state_dict().values(), network.state_dict().values(), strict=True):
            if old.dtype.is_floating_point:
                old.lerp_(new, 1 - kept)
            else:
                old.copy_(new)
