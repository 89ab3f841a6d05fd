"""One table, one match: which match this table plays, so that no second table plays it too."""

import errno
import fcntl
import os
from pathlib import Path

SUFFIX = ".playing"  # of the file beside the store whose bytes are locked; it stays empty
TAKEN = (errno.EACCES, errno.EAGAIN)  # fcntl(2): what a byte locked by another process gives


class MatchLock:
    """The lock of one table on the match it plays.

    One byte of a file beside the store stands for each match, at the offset of its number. The kernel lets it go when
    the process ends, however it ends, so no lock outlives a table. Where the file system has no locks nothing is
    refused here, and the key of the events still keeps two tables apart.
    """

    def __init__(self, store: Path) -> None:
        self._path = store.with_name(store.name + SUFFIX)
        self._file: int | None = None
        self._number: int | None = None

    def take(self, number: int) -> bool:
        """Lock a match and let go of the one before; False if another table plays it, and nothing has changed."""
        if number == self._number:
            return True
        try:
            if self._file is None:
                self._file = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
            fcntl.lockf(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, number)
        except OSError as error:
            if error.errno in TAKEN:
                return False
        self.release()
        self._number = number
        return True

    def release(self) -> None:
        """Let go of the match that is locked, if one is."""
        if self._file is not None and self._number is not None:
            fcntl.lockf(self._file, fcntl.LOCK_UN, 1, self._number)
        self._number = None

    def renew(self) -> None:
        """Lock the same match in a new file: the one before may have been deleted."""
        number = self._number
        self.close()
        if number is not None:
            self.take(number)

    def close(self) -> None:
        """Let go of everything. Closing twice does nothing."""
        if self._file is not None:
            os.close(self._file)
        self._file = self._number = None
