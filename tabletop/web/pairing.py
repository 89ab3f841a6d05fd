"""Which devices may press: those on which somebody entered the four digits that the table shows. Pure.

Four digits can be guessed, so guesses get slower, for each network address on its own: the first few are free, then
each wrong one doubles the wait. Since a guesser can use many addresses, there are limits for all together as well: one
for the first few wrong digits of an address, one for all further ones, so that ten addresses which guess for days leave
others the first few. That is 352 of the 10,000 in a whole day, from however many addresses: 4 in 100 of those who try
for so long get in. Whoever has new addresses all the time can make everybody wait, but not this machine itself, nor the
addresses from which a device was let in: those wait for their own wrong digits alone. What a device keeps is a random
token; the table keeps only its hash.
"""

import hashlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from hmac import compare_digest
from ipaddress import ip_address

DIGITS = 4
FREE_GUESSES = 4  # wrong ones before waits begin: a child's typing
FIRST_WAIT_S = 2.0
LONGEST_WAIT_S = 300.0
FORGIVEN_S = 3600.0  # after this long without a wrong guess an address waits for nothing
NEW_AGAIN_S = 24 * 3600.0  # and after this long its count begins again
FIRST_AT_ONCE = 48  # first few wrong ones of all addresses before new ones wait: ten addresses, and two of the family
FURTHER_AT_ONCE = 16  # further wrong ones of all addresses before all of these wait
EVERY_S = 600.0  # and one more of each kind after each of these: together as slow as a single address at its slowest
MOST_TRUSTED = 256  # addresses from which a device was let in: as many as a home network has
SHOWN_S = 60.0  # how long the table shows the digits after somebody asked for them
MOST_DEVICES = 64  # the oldest is forgotten
MOST_WISHES, WISHES_PER_S = 12.0, 8.0  # of one device: as quick as fingers on two buttons


class Pairing:
    """The devices that were let in. Times in seconds, on any one clock.

    digits: makes the four that the table shows. draw: makes a token that nobody can guess. known: the hashes kept from
    before, oldest first.
    """

    def __init__(self, digits: Callable[[], str], draw: Callable[[], str], known: Iterable[str] = ()) -> None:
        self.digits = digits()
        self._new_digits, self._draw = digits, draw
        self._known = list(known)[-MOST_DEVICES:]
        self._wrong: dict[str, tuple[int, float]] = {}  # of each address: how many, and when the last was
        self._first, self._further = _Together(FIRST_AT_ONCE), _Together(FURTHER_AT_ONCE)
        self._trusted: dict[str, None] = {}  # the addresses from which a device was let in, oldest first
        self._asked_s = float("-inf")

    @property
    def known(self) -> tuple[str, ...]:
        """The hashes of the devices that may press, oldest first."""
        return tuple(self._known)

    def is_paired(self, token: str) -> bool:
        """Return whether a device with this token was let in."""
        return bool(token) and hashed(token) in self._known

    def send_away(self) -> None:
        """Forget all devices. They know the old digits, so there are new ones."""
        self._known, self.digits = [], self._new_digits()

    def ask(self, now_s: float) -> None:
        """Note that somebody wants to see the digits."""
        if not self.shown(now_s):
            self._asked_s = now_s

    def shown(self, now_s: float) -> bool:
        """Return whether the table shows the digits now."""
        return now_s - self._asked_s < SHOWN_S

    def wait_s(self, now_s: float, address: str = "") -> float:
        """Return how long it takes until somebody at this address may guess again, 0.0 for now."""
        wrong, last_s = self._wrong.get(address, (0, 0.0))
        until_s = now_s if self._trusts(address) else self._together(address).until_s
        if wrong >= FREE_GUESSES and now_s - last_s <= FORGIVEN_S:
            wait_s = min(LONGEST_WAIT_S, FIRST_WAIT_S * 2.0 ** min(wrong - FREE_GUESSES, 10))
            until_s = max(until_s, last_s + wait_s)
        return max(0.0, until_s - now_s)

    def enter(self, digits: str, now_s: float, address: str = "") -> str | None:
        """Return the token for a device that entered these digits, None if they are wrong or it is too early."""
        if self.wait_s(now_s, address) > 0.0:
            return None
        if not compare_digest(digits.encode(), self.digits.encode()):
            self._wrong = {own: known for own, known in self._wrong.items() if now_s - known[1] <= NEW_AGAIN_S}
            if not self._trusts(address):
                self._together(address).count(now_s)
            self._wrong[address] = self._wrong.get(address, (0, 0.0))[0] + 1, now_s
            return None
        self._wrong.pop(address, None)
        self._trusted = dict.fromkeys([*self._trusted, address][-MOST_TRUSTED:])
        self._asked_s = float("-inf")
        token = self._draw()
        self._known = [*self._known, hashed(token)][-MOST_DEVICES:]
        return token

    def _trusts(self, address: str) -> bool:
        """Return whether wrong digits of others never make this address wait."""
        return address in self._trusted or (bool(address) and ip_address(address).is_loopback)

    def _together(self, address: str) -> "_Together":
        return self._first if self._wrong.get(address, (0, 0.0))[0] < FREE_GUESSES else self._further


@dataclass(slots=True)
class _Together:
    """Wrong digits of all addresses together. at_once: how many before everybody waits."""

    at_once: int
    forgotten_s: float = float("-inf")  # when none of them would count any more

    @property
    def until_s(self) -> float:
        """Until when everybody waits."""
        return self.forgotten_s - (self.at_once - 1) * EVERY_S

    def count(self, now_s: float) -> None:
        """Count one more."""
        self.forgotten_s = max(self.forgotten_s, now_s) + EVERY_S


@dataclass(slots=True)
class Rate:
    """Wishes that are left to a device: they come back with time, up to a few at once."""

    left: float = MOST_WISHES
    since_s: float = 0.0

    def allows(self, now_s: float) -> bool:
        """Take one; False if none is left."""
        self.left = min(MOST_WISHES, self.left + (now_s - self.since_s) * WISHES_PER_S)
        self.since_s = now_s
        if self.left < 1.0:
            return False
        self.left -= 1.0
        return True


def hashed(token: str) -> str:
    """Return what is kept of a token."""
    return hashlib.sha256(token.encode()).hexdigest()
