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
    """Whoever guesses again as soon as it is allowed makes fewer than 300 of the 10,000 guesses in a day."""
    asked, now_s, guesses = pairing(), 0.0, 0
    while now_s < DAY_S:
        asked.enter("9999", now_s)
        guesses += 1
        now_s += asked.wait_s(now_s) or 0.01
    assert guesses < 300
    assert asked.wait_s(now_s - 0.01) <= LONGEST_WAIT_S


def test_one_guesser_keeps_nobody_else_out() -> None:
    """After an hour of guesses from one address, a device at another one enters the right digits and is in."""
    asked, now_s = pairing(), 0.0
    while now_s < 3600.0:
        asked.enter("9999", now_s, "10.0.0.66")
        now_s += asked.wait_s(now_s, "10.0.0.66") or 0.01
    assert asked.wait_s(now_s - 1.0, "10.0.0.66") > 0.0
    assert asked.wait_s(now_s - 1.0, "10.0.0.5") == 0.0
    assert asked.enter("9998", now_s - 1.0, "10.0.0.5") is None
    assert asked.enter("0427", now_s - 1.0, "10.0.0.5") == "token-1"


def test_many_addresses_guess_little_more_than_one() -> None:
    """A new address for each guess, as soon as any is allowed: fewer than 340 of the 10,000 in a day, 3.4 in 100."""
    asked, now_s, guesses, addresses = pairing(), 0.0, 0, count()
    while now_s < DAY_S:
        address = f"10.0.{next(addresses)}"
        wait_s = asked.wait_s(now_s, address)
        if wait_s > 0.0:
            now_s += wait_s
            continue
        assert asked.enter("9999", now_s, address) is None
        guesses += 1
    assert 40 <= guesses < 340
    assert asked.wait_s(now_s + 300.0, "10.0.0.5") == 0.0


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
