"""The training loop: batches in, a network out; deterministic for a seed and number of steps."""

import copy
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from queue import Queue
from threading import Thread
from typing import Protocol, TypeVar

import torch
from torch import Tensor, nn

from tools.training.processor import has_bfloat16

WARM_SHARE = 0.05  # of all steps, while the rate rises
LEAST_STEPS = 40  # so that the rate rises over two of them
DECAY = 0.02
KEPT = 0.998  # of the averaged weights at each step
STEEPEST = 5.0  # length of the gradient beyond which it is shortened
AHEAD = 6  # batches made in advance
REPORT_STEPS = 100
Say = Callable[[str], None]


class Lesson(Protocol):
    """A batch: the network's input, and its targets in other fields."""

    @property
    def pixels(self) -> Tensor:
        """Return (B, 3, H, W) float32, normalised."""


Batch = TypeVar("Batch", bound=Lesson)
Network = TypeVar("Network", bound=nn.Module)


@dataclass(frozen=True, slots=True)
class Course:
    """The schedule of a training run. rate: the maximum learning rate."""

    steps: int
    rate: float
    seed: int


def train_network(
    network: Network, batches: Iterator[Batch], loss: Callable[[Tensor, Batch], Tensor], course: Course, say: Say
) -> Network:
    """Return the averaged network after training; `network` itself is changed."""
    torch.manual_seed(course.seed)
    network.to(memory_format=torch.channels_last)
    network.train()
    average = copy.deepcopy(network)
    teacher = torch.optim.AdamW(network.parameters(), lr=course.rate, weight_decay=DECAY)
    pace = torch.optim.lr_scheduler.OneCycleLR(teacher, course.rate, total_steps=course.steps, pct_start=WARM_SHARE)
    quick = has_bfloat16()
    begun, recent = time.monotonic(), 0.0
    for step, lesson in enumerate(_ahead(batches, course.steps)):
        with torch.autocast("cpu", dtype=torch.bfloat16, enabled=quick):
            answer = network(lesson.pixels.contiguous(memory_format=torch.channels_last))
        off = loss(answer.float(), lesson)
        teacher.zero_grad(set_to_none=True)
        off.backward()
        nn.utils.clip_grad_norm_(network.parameters(), STEEPEST)
        teacher.step()
        pace.step()
        _follow(average, network, min(KEPT, (step + 1) / (step + 10)))
        recent = off.item() if not step else 0.98 * recent + 0.02 * off.item()
        if step % REPORT_STEPS == 0 or step == course.steps - 1:
            say(f"step {step} of {course.steps}: loss {recent:.4f}, {time.monotonic() - begun:.0f} s")
    average.eval()
    return average


def _ahead(batches: Iterator[Batch], steps: int) -> Iterator[Batch]:
    """Yield this many batches, made by a thread while the network learns; their order is that of `batches`."""
    waiting: Queue[Batch | BaseException] = Queue(AHEAD)

    def feed() -> None:
        try:
            for _ in range(steps):
                waiting.put(next(batches))
        except BaseException as error:  # noqa: BLE001 - passed to the waiting thread, which raises it
            waiting.put(error)

    Thread(target=feed, daemon=True).start()
    for _ in range(steps):
        batch = waiting.get()
        if isinstance(batch, BaseException):
            raise batch
        yield batch


def _follow(average: nn.Module, network: nn.Module, kept: float) -> None:
    """Move the averaged weights, and the averaged statistics of the batches, towards the network's."""
    with torch.no_grad():
        for old, new in zip(average.state_dict().values(), network.state_dict().values(), strict=True):
            if old.dtype.is_floating_point:
                old.lerp_(new, 1 - kept)
            else:
                old.copy_(new)
