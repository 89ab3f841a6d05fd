"""Pairing: devices may press after the four digits shown by the table were entered on them. Pure.

Four digits can be guessed, so guesses are slowed down. For each network address the first few are free, then each wrong
one doubles the wait. An attacker can use many addresses, so all addresses together have limits too: one for the first
few wrong digits of an address, one for all further ones. That allows 352 of the 10,000 to be tried in a day, from any
number of addresses: 4 in 100 attackers get in. After 50 wrong ones the digits are renewed and shown for a minute.
Paired devices stay paired. A restart brings new digits, so no count is stored. Many addresses can make everybody wait,
but not this machine itself, nor addresses from which a device was paired. Showing the digits covers a line of the
display and is limited likewise. A device stores a random token, the table only its hash.
"""

import hashlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from hmac import compare_digest
from ipaddress import IPv6Address, ip_address

DIGITS = 4
FREE_GUESSES = 4  # wrong ones before waits begin: a child's typing
FIRST_WAIT_S = 2.0
LONGEST_WAIT_S = 300.0
FORGIVEN_S = 3600.0  # after this long without a wrong guess an address waits for nothing
MOST_WRONG = 50  # of all addresses, then the digits are new: a family does not mistype so often in an evening
NEW_AGAIN_S = 24 * 3600.0  # and after this long its count begins again
FIRST_AT_ONCE = 48  # first few wrong ones of all addresses before new ones wait: ten addresses, and two of the family
FURTHER_AT_ONCE = 16  # further wrong ones of all addresses before all of these wait
EVERY_S = 600.0  # and one more of each kind after each of these: together as slow as a single address at its slowest
MOST_TRUSTED = 256  # addresses from which a device was paired: enough for a home network
SHOWN_S = 60.0  # how long the table shows the digits after somebody asked for them
FREE_SHOWINGS = 3  # for an address that never enters them, before waits begin: a phone that is laid down again
SHOWINGS_AT_ONCE = 12  # for all addresses: two phones for each of six players
OWN_BITS = 64  # of an IPv6 address: a device that has one can have all of them (RFC 4291, 2.5.4; RFC 8981)
MOST_DEVICES = 64  # the oldest is forgotten
MOST_COMMANDS, COMMANDS_PER_S = 12.0, 8.0  # of one device: as quick as fingers on two buttons


class Pairing:
    """The paired devices. Times in seconds, on any one clock.

    digits: makes the four digits shown by the table. draw: makes an unguessable token. known: the hashes of the paired
    devices, oldest first.
    """

    def __init__(self, digits: Callable[[], str], draw: Callable[[], str], known: Iterable[str] = ()) -> None:
        self.digits = digits()
        self._new_digits, self._draw = digits, draw
        self.known = tuple(known)[-MOST_DEVICES:]
        self._wrong: dict[str, tuple[int, float]] = {}  # of each address: how many, and when the last was
        self._wrong_in_all = 0  # since the digits are what they are
        self._first, self._further = _Together(FIRST_AT_ONCE), _Together(FURTHER_AT_ONCE)
        self._trusted: dict[str, None] = {}  # the addresses from which a device was let in, oldest first
        self._asked_s = float("-inf")
        self._askers: dict[str, tuple[int, float]] = {}  # of each address: how often it asked in vain, and when last
        self._showings = _Together(SHOWINGS_AT_ONCE)

    def is_paired(self, token: str) -> bool:
        """Return whether this is the token of a paired device."""
        return bool(token) and hashed(token) in self.known

    def send_away(self) -> None:
        """Forget all devices, and renew the digits, which they know."""
        self.known = ()
        self._renew()

    def show(self, now_s: float) -> None:
        """Show the digits for a while, at the request of somebody at the table."""
        if not self.shown(now_s):
            self._asked_s = now_s

    def ask(self, now_s: float, address: str = "") -> float:
        """Show the digits for a while, at the request of this address; return its waiting time, 0.0 if they are shown.

        Requests while they are already shown do not count.
        """
        if self.shown(now_s):
            return 0.0
        place = place_of(address)
        asked, last_s = self._askers.get(place, (0, 0.0))
        until_s = now_s if self._trusts(place) else self._showings.until_s
        if asked >= FREE_SHOWINGS:
            until_s = max(until_s, last_s + min(EVERY_S, SHOWN_S * 2.0 ** min(asked - FREE_SHOWINGS + 1, 10)))
        if until_s > now_s:
            return until_s - now_s
        self._askers = {own: known for own, known in self._askers.items() if now_s - known[1] <= FORGIVEN_S}
        self._askers[place] = self._askers.get(place, (0, 0.0))[0] + 1, now_s
        if not self._trusts(place):
            self._showings.count(now_s)
        self.show(now_s)
        return 0.0

    def shown(self, now_s: float) -> bool:
        """Return whether the table shows the digits now."""
        return now_s - self._asked_s < SHOWN_S

    def wait_s(self, now_s: float, address: str = "") -> float:
        """Return the time until this address may guess again, 0.0 for now."""
        place = place_of(address)
        wrong, last_s = self._wrong.get(place, (0, 0.0))
        until_s = now_s if self._trusts(place) else self._together(place).until_s
        if wrong >= FREE_GUESSES and now_s - last_s <= FORGIVEN_S:
            wait_s = min(LONGEST_WAIT_S, FIRST_WAIT_S * 2.0 ** min(wrong - FREE_GUESSES, 10))
            until_s = max(until_s, last_s + wait_s)
        return max(0.0, until_s - now_s)

    def enter(self, digits: str, now_s: float, address: str = "") -> str | None:
        """Return the token for a device that entered these digits, None if they are wrong or it is too early.

        After too many wrong guesses the digits are renewed and shown.
        """
        if self.wait_s(now_s, address) > 0.0:
            return None
        place = place_of(address)
        if not compare_digest(digits.encode(), self.digits.encode()):
            self._wrong = {own: known for own, known in self._wrong.items() if now_s - known[1] <= NEW_AGAIN_S}
            if not self._trusts(place):
                self._together(place).count(now_s)
            self._wrong[place] = self._wrong.get(place, (0, 0.0))[0] + 1, now_s
            self._wrong_in_all += 1
            if self._wrong_in_all >= MOST_WRONG:
                self._renew()
                self._asked_s = now_s
            return None
        self._wrong.pop(place, None)
        self._trusted = dict.fromkeys([*self._trusted, place][-MOST_TRUSTED:])
        self._asked_s, self._askers, self._showings = float("-inf"), {}, _Together(SHOWINGS_AT_ONCE)
        token = self._draw()
        self.known = (*self.known, hashed(token))[-MOST_DEVICES:]
        return token

    def _renew(self) -> None:
        self.digits, self._wrong_in_all = self._new_digits(), 0

    def _trusts(self, place: str) -> bool:  # others never make it wait
        return place in self._trusted or is_here(place)

    def _together(self, place: str) -> "_Together":
        return self._first if self._wrong.get(place, (0, 0.0))[0] < FREE_GUESSES else self._further


@dataclass(slots=True)
class _Together:
    """Wrong digits of all addresses together, or showings. at_once: how many before everybody waits."""

    at_once: int
    forgotten_s: float = float("-inf")  # when none of them would count any more

    @property
    def until_s(self) -> float:  # everybody waits
        return self.forgotten_s - (self.at_once - 1) * EVERY_S

    def count(self, now_s: float) -> None:
        self.forgotten_s = max(self.forgotten_s, now_s) + EVERY_S


class Pace:
    """A rate limit for each of many clients: a burst, then a number of requests per second.

    longest_wait_s: requests that would have to wait longer are not counted.
    """

    def __init__(self, at_once: float, per_s: float, longest_wait_s: float = 0.0) -> None:
        self._ahead_s, self._every_s, self._longest_wait_s = at_once / per_s, 1.0 / per_s, longest_wait_s
        self._level_s: dict[str, float] = {}  # of each: when it would have asked no more often than it may

    def wait_s(self, who: str, now_s: float) -> float:
        """Count a request; return its waiting time, mostly 0.0."""
        if who not in self._level_s:
            self._level_s = {own: level_s for own, level_s in self._level_s.items() if level_s > now_s}
        level_s = max(self._level_s.get(who, now_s), now_s) + self._every_s
        wait_s = max(0.0, level_s - now_s - self._ahead_s)
        if wait_s <= self._longest_wait_s:
            self._level_s[who] = level_s
        return wait_s


def place_of(address: str) -> str:
    """Return the unit of counting for an address: an IPv4 address in normal form, or the /64 of an IPv6 address.

    Empty and non-numeric addresses are returned unchanged.
    """
    try:
        number = ip_address(address)
    except ValueError:
        return address
    if not isinstance(number, IPv6Address) or number.is_loopback:
        return str(number)
    return str(number.ipv4_mapped or IPv6Address(int(number) >> OWN_BITS << OWN_BITS))


def is_here(address: str) -> bool:
    """Return whether an address is this machine."""
    place = place_of(address)
    return bool(place) and ip_address(place).is_loopback


def is_far(address: str, own: str) -> bool:
    """Return whether an IPv6 address is outside the network of this machine's address that it connected to.

    A home's IPv4 cannot be reached from outside, its IPv6 perhaps can.
    """
    number = ip_address(address)
    known = number.version == 4 or number.ipv4_mapped or not number.is_global  # noqa: PLR2004 - IPv4
    return not known and place_of(address) != place_of(own)


def hashed(token: str) -> str:
    """Return the hash stored for a token."""
    return hashlib.sha256(token.encode()).hexdigest()
