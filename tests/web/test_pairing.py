"""Who may press: four digits, and guesses that get slower."""

from itertools import count

from tabletop.web.pairing import FORGIVEN_S, FREE_GUESSES, LONGEST_WAIT_S, MOST_DEVICES, SHOWN_S, Pairing, hashed

DAY_S = 24 * 3600.0


def pairing(*known: str) -> Pairing:
    """Return one with the digits 0427 and tokens that count."""
    tokens = count(1)
    return Pairing(lambda: "0427", lambda: f"token-{next(tokens)}", known)


def test_the_digits_let_a_device_in() -> None:
    """It gets a token, of which only the hash is kept; no other token and no empty one is let in."""
    asked = pairing()
    assert asked.enter("0428", 0.0) is None
    assert asked.enter("0427", 1.0) == "token-1"
    assert asked.is_paired("token-1")
    assert not asked.is_paired("token-2")
    assert not asked.is_paired("")
    assert asked.known == (hashed("token-1"),)
    assert "token-1" not in asked.known


def test_devices_are_known_after_a_restart() -> None:
    """Those kept from before are let in; beyond the limit the oldest is forgotten."""
    before = [hashed(str(number)) for number in range(MOST_DEVICES)]
    asked = pairing(*before)
    assert asked.is_paired("0")
    asked.enter("0427", 0.0)
    assert not asked.is_paired("0")
    assert asked.is_paired("1")
    assert asked.is_paired("token-1")
    assert len(asked.known) == MOST_DEVICES


def test_even_the_right_digits_have_to_wait_after_wrong_ones() -> None:
    """A few wrong ones are free; then the right ones too are not looked at before the wait is over."""
    asked = pairing()
    for _ in range(FREE_GUESSES):
        assert asked.wait_s(0.0) == 0.0
        assert asked.enter("9999", 0.0) is None
    wait_s = asked.wait_s(0.0)
    assert wait_s > 0.0
    assert asked.enter("0427", wait_s / 2) is None
    assert asked.wait_s(wait_s) == 0.0
    assert asked.enter("0427", wait_s) == "token-1"
    assert asked.wait_s(wait_s) == 0.0


def test_who_guesses_all_day_has_few_guesses() -> None:
    """A device that guesses again as soon as it is allowed makes fewer than 300 of the 10,000 guesses in a day."""
    asked, now_s, guesses = pairing(), 0.0, 0
    while now_s < DAY_S:
        asked.enter("9999", now_s)
        guesses += 1
        now_s += asked.wait_s(now_s) or 0.01
    assert guesses < 300
    assert asked.wait_s(now_s - 0.01) <= LONGEST_WAIT_S


def guessed_for(asked: Pairing, end_s: float) -> int:
    """Guess wrong as often as it is allowed, from two new addresses at once; return how often the digits changed."""
    now_s, changes, addresses = 0.0, 0, count()
    while now_s < end_s:
        before, address = asked.digits, f"10.1.{next(addresses) // 250 % 250}.7"
        now_s += asked.wait_s(now_s, address) or 0.01
        asked.enter("none", now_s, address)
        changes += asked.digits != before
    return changes


def test_fifty_wrong_digits_from_anywhere_make_new_ones() -> None:
    """Not one fewer; the table shows the new ones, the old ones are wrong, and devices that were let in stay."""
    numbers = count(1000)
    asked = Pairing(lambda: str(next(numbers)), lambda: "token")
    asked.enter("1000", 0.0, "10.0.0.5")
    for guess in range(50):
        assert (asked.digits, asked.shown(300.0 * guess)) == ("1000", False)
        assert asked.enter("9999", 300.0 * guess, f"10.0.0.{5 + guess % 2}") is None
    now_s = 300.0 * 49
    assert (asked.digits, asked.shown(now_s), asked.shown(now_s + SHOWN_S)) == ("1001", True, False)
    assert asked.is_paired("token")
    assert asked.enter("1000", now_s + 300.0, "127.0.0.1") is None
    assert asked.enter("1001", now_s + 300.0, "127.0.0.1") == "token"


def test_a_flood_of_wrong_digits_changes_them_a_few_times_a_day() -> None:
    """So the display is not covered: at most eight times in 24 hours, from however many addresses."""
    numbers = count(1000)
    assert 2 <= guessed_for(Pairing(lambda: str(next(numbers)), lambda: "token"), DAY_S) <= 8


def test_many_addresses_guess_little_more_than_one() -> None:
    """New addresses all day, each for one guess or for all that it may: fewer than 360 of the 10,000, 3.6 in 100."""
    asked, now_s, guesses, addresses = pairing(), 0.0, 0, count()
    known = [f"10.0.1.{last}" for last in range(10)]
    for _ in range(FREE_GUESSES):
        guesses += sum(asked.enter("9999", 0.0, address) is None and asked.wait_s(0.0) == 0.0 for address in known)
    while now_s < DAY_S:
        free = [address for address in known if asked.wait_s(now_s, address) == 0.0]
        address = free[0] if free else f"2001:db8::{next(addresses) % 10_000}"
        wait_s = asked.wait_s(now_s, address)
        if wait_s > 0.0:
            now_s += wait_s
            continue
        assert asked.enter("9999", now_s, address) is None
        guesses += 1
    assert 40 <= guesses < 360
    assert asked.wait_s(now_s + 600.0, "10.0.0.5") == 0.0
    assert asked.wait_s(now_s, "127.0.0.1") == 0.0


def test_days_of_guesses_from_ten_addresses_keep_nobody_else_out() -> None:
    """A phone that is new at the table enters wrong digits three times and then the right ones, on four days."""
    asked, now_s, guessers = pairing(), 0.0, [f"10.0.0.{last}" for last in range(10, 20)]
    for day in range(4):
        while now_s < (day + 1) * DAY_S:
            waits = [asked.wait_s(now_s, address) for address in guessers]
            for address, wait_s in zip(guessers, waits, strict=True):
                if not wait_s:
                    asked.enter("9999", now_s, address)
            now_s += max(min(waits), 1.0)
        phone = f"10.0.1.{day}"
        assert [asked.enter(digits, now_s, phone) is None for digits in ("1", "2", "3", "0427")] == [True] * 3 + [False]


def test_where_a_device_was_let_in_nobody_waits_for_others() -> None:
    """However many new addresses guess; its own wrong digits make it wait as before."""
    asked = pairing()
    asked.enter("0427", 0.0, "10.0.0.5")
    for number in range(200):
        asked.enter("9999", 1.0, f"10.0.1.{number}")
    assert (asked.wait_s(2.0, "10.0.0.6") > 0.0, asked.wait_s(2.0, "10.0.0.5")) == (True, 0.0)
    for _ in range(FREE_GUESSES):
        asked.enter("9999", 2.0, "10.0.0.5")
    assert asked.wait_s(2.0, "10.0.0.5") > 0.0


def test_who_gets_in_frees_only_his_own_address() -> None:
    """The right digits at one address do not take the waiting from another one."""
    asked = pairing()
    for _ in range(FREE_GUESSES):
        asked.enter("9999", 0.0, "10.0.0.66")
    assert asked.enter("0427", 0.0, "10.0.0.5") == "token-1"
    assert asked.wait_s(0.0, "10.0.0.66") > 0.0


def test_wrong_digits_are_forgiven() -> None:
    """After an hour without a guess nobody has to wait."""
    asked = pairing()
    for _ in range(FREE_GUESSES + 1):
        asked.enter("9999", asked.wait_s(0.0))
    assert asked.wait_s(2 * FORGIVEN_S) == 0.0


def test_the_digits_are_shown_only_while_somebody_asks() -> None:
    """For a while after the first of several wishes, so that asking again and again does not cover the display."""
    asked = pairing()
    assert not asked.shown(0.0)
    asked.ask(10.0)
    asked.ask(10.0 + SHOWN_S / 2)
    assert asked.shown(10.0)
    assert asked.shown(9.9 + SHOWN_S)
    assert not asked.shown(10.1 + SHOWN_S)
    asked.ask(100.0)
    asked.enter("0427", 101.0)
    assert not asked.shown(101.0)


def test_who_asks_on_and_on_does_not_keep_the_digits_on_the_display() -> None:
    """In four hours at most a sixth of the time, from one address or from twenty; the table's own menu shows them."""
    end_s, step_s = 4 * 3600, 20
    for addresses in (["10.0.0.66"], [f"10.0.0.{last}" for last in range(100, 120)]):
        asked, shown_s = pairing(), 0
        for now_s in range(0, end_s, step_s):
            for address in addresses:
                asked.ask(float(now_s), address)
            shown_s += step_s * asked.shown(float(now_s))
        assert SHOWN_S <= shown_s <= end_s / 6
        assert not asked.shown(float(end_s))
        asked.show(float(end_s))
        assert asked.shown(float(end_s))


def test_a_family_sees_the_digits_beside_somebody_who_asks_on_and_on() -> None:
    """Each phone that asks once, a minute after the other; once somebody has entered them all is as at first."""
    asked, now_s = pairing(), 0.0
    while now_s < 3600.0:
        asked.ask(now_s, "10.0.0.66")
        now_s += 20.0
    for phone in range(6):
        now_s += SHOWN_S + 1.0
        assert asked.ask(now_s, f"10.0.1.{phone}") == 0.0
        assert asked.shown(now_s)
    now_s += SHOWN_S + 1.0
    asked.ask(now_s, "10.0.0.66")
    now_s += SHOWN_S + 1.0
    assert asked.ask(now_s, "10.0.0.66") > 0.0
    assert asked.enter("0427", now_s, "10.0.1.1") == "token-1"
    assert asked.ask(now_s, "10.0.0.66") == 0.0


def test_a_whole_ipv6_network_is_one_address() -> None:
    """A device with one address of a /64 has all of it (RFC 4291); an IPv4 address is one however it is written."""
    asked = pairing()
    for number in range(100):
        asked.enter("9999", 0.0, f"2001:db8:1:2:{number:x}::7")
    assert asked.wait_s(0.5, "2001:db8:1:2:ffff::1") > 0.0
    assert asked.wait_s(0.5, "2001:db8:1:3::1") == 0.0
    for _ in range(FREE_GUESSES):
        asked.enter("9999", 0.0, "::ffff:10.0.0.5")
    assert asked.wait_s(0.5, "10.0.0.5") > 0.0
    assert asked.wait_s(0.5, "::ffff:10.0.0.6") == 0.0
