"""A tar archive of bounded size, in which new members take the place of old ones that may go.

A tar needs no directory: if the file is cut off anywhere, it can be read up to there. Space that is given up stays a
member, called `free`, so the chain of members is complete after every write.
"""

import os
import tarfile
from bisect import insort
from dataclasses import dataclass
from pathlib import Path

from tabletop.core.errors import InputError

BLOCK = 512  # bytes; POSIX ustar: headers are a block, data is filled up to whole ones
FREE = "free"  # the name of room that may be written over
END = bytes(2 * BLOCK)  # POSIX: two blocks of zeros end an archive


@dataclass(frozen=True, slots=True, order=True)
class Slot:
    """Space in the file: header and data. offset, length: bytes, whole blocks."""

    offset: int
    length: int


class Archive:
    """A new tar file. Raises InputError if it exists or cannot be made.

    limit: bytes that it may grow to; space that was given up is used again before and after that.
    """

    def __init__(self, path: Path, limit: int) -> None:
        try:
            self._file = path.open("xb", buffering=0)
        except FileExistsError:
            raise InputError(f"expected a new file after --record, got one that exists: {path}") from None
        except OSError as error:
            raise InputError(f"expected a file that can be written after --record: {path}: {error.strerror}") from None
        self._limit, self._end = limit, 0
        self._free: list[Slot] = []

    @property
    def size(self) -> int:
        """Bytes of the file so far."""
        return self._end

    def add(self, name: str, data: bytes, *, beyond: bool = False) -> Slot | None:
        """Write a member; None if no space of its size is left. beyond: the limit does not apply to it."""
        need = BLOCK + _whole(len(data))
        slot = self._from_free(need)
        if slot is None:
            if self._end + need > self._limit and not beyond:
                return None
            slot = Slot(self._end, need)
            self._end += need
        self._write(slot.offset + BLOCK, data + bytes(_whole(len(data)) - len(data)))
        self._write(slot.offset, _header(name, len(data)))
        return slot

    def give_up(self, slot: Slot) -> None:
        """Let this space be written over; free neighbours become one with it."""
        insort(self._free, slot)
        at = self._free.index(slot)
        first = at - 1 if at and _end(self._free[at - 1]) == slot.offset else at
        last = at + 1 if at + 1 < len(self._free) and _end(slot) == self._free[at + 1].offset else at
        whole = Slot(self._free[first].offset, _end(self._free[last]) - self._free[first].offset)
        self._free[first : last + 1] = [whole]
        self._write(whole.offset, _header(FREE, whole.length - BLOCK))

    def sync(self) -> None:
        """Wait until everything is on the card."""
        os.fsync(self._file.fileno())

    def close(self) -> None:
        """Write the end-of-archive blocks and close the file."""
        self._write(self._end, END)
        self._file.close()

    def leave(self) -> None:
        """Close the file as it is: what is in it can be read."""
        self._file.close()

    def _from_free(self, need: int) -> Slot | None:
        """Take the first free space that is large enough, and leave the rest of it free."""
        for at, slot in enumerate(self._free):
            if slot.length >= need:
                del self._free[at]
                if slot.length > need:  # whole blocks, so at least a header fits
                    rest = Slot(slot.offset + need, slot.length - need)
                    insort(self._free, rest)
                    self._write(rest.offset, _header(FREE, rest.length - BLOCK))
                return Slot(slot.offset, need)
        return None

    def _write(self, offset: int, data: bytes) -> None:
        self._file.seek(offset)
        view = memoryview(data)
        while view:
            view = view[self._file.write(view) :]


def _header(name: str, size: int) -> bytes:
    header = tarfile.TarInfo(name)
    header.size = size
    return header.tobuf(tarfile.USTAR_FORMAT)


def _whole(size: int) -> int:
    return -(-size // BLOCK) * BLOCK


def _end(slot: Slot) -> int:
    return slot.offset + slot.length
