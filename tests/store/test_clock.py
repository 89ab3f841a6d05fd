"""A board without a clock battery: when it knows the time, and what the calendar makes of matches without a date."""

import json
import shutil
import time
import zipfile
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tabletop.cli.main import main
from tabletop.core.values import ClockState
from tabletop.rules import Choose, Match, Throw
from tabletop.session.match_library import MatchLibrary
from tabletop.store import Store
from tabletop.store.clock import SystemClock, set_by

HERE = Path(__file__).parent
EVENING = datetime(2027, 12, 24, 18, 0, tzinfo=UTC)
STOPPED = EVENING - timedelta(days=365)  # when the board was switched off last: it starts with that time
YEAR_S = 365 * 24 * 3600


@dataclass
class Board:
    """A Raspberry Pi as its files show it, and its clocks. now: what the wall clock shows."""

    root: Path
    now: datetime = STOPPED
    up_s: float = 10.0
    runs: int = 0

    def __post_init__(self) -> None:
        (self.root / "proc/device-tree").mkdir(parents=True)
        self.switch_on()

    def switch_on(self) -> None:
        self.runs, self.up_s = self.runs + 1, 10.0
        (self.root / "proc/sys/kernel/random").mkdir(parents=True, exist_ok=True)
        (self.root / "proc/sys/kernel/random/boot_id").write_text(f"run-{self.runs}\n")
        (self.root / "run/systemd/timesync/synchronized").unlink(missing_ok=True)

    def hear_the_time(self, now: datetime) -> None:
        """Let the network say what time it is: the wall clock jumps."""
        self.now = now
        (self.root / "run/systemd/timesync").mkdir(parents=True, exist_ok=True)
        (self.root / "run/systemd/timesync/synchronized").touch()

    def battery(self, seconds: float) -> None:
        """Put a clock with a battery on it that says this, in seconds since 1970."""
        (self.root / "sys/class/rtc/rtc0").mkdir(parents=True, exist_ok=True)
        (self.root / "sys/class/rtc/rtc0/since_epoch").write_text(f"{seconds:.0f}\n")

    def wait(self, seconds: float) -> None:
        self.now += timedelta(seconds=seconds)
        self.up_s += seconds

    @property
    def clock(self) -> SystemClock:
        return SystemClock(lambda: self.now, lambda: self.up_s, self.root)


@pytest.fixture
def board(tmp_path: Path) -> Board:
    return Board(tmp_path / "board")


def test_a_board_without_a_battery_trusts_the_network_only(board: Board) -> None:
    """Its own time may be right or a year old: nothing vouches for it until the network has spoken in this run."""
    assert set_by(board.now, board.root) == ""
    board.hear_the_time(EVENING)
    assert set_by(board.now, board.root) == "network"
    board.switch_on()
    assert set_by(board.now, board.root) == ""


@pytest.mark.parametrize(
    ("kept_s", "by"), [(EVENING.timestamp() - 40, "battery"), (90.0, ""), (EVENING.timestamp() + 4000, "")]
)
def test_a_battery_clock_counts_where_it_agrees(board: Board, kept_s: float, by: str) -> None:
    """A Pi 5 has a clock chip, but seldom a battery to it: then the chip counts from 1970 when it is switched on."""
    board.now = EVENING
    board.battery(kept_s)
    assert set_by(board.now, board.root) == by


def test_a_pc_has_a_battery_and_no_machine_is_older_than_the_program(tmp_path: Path) -> None:
    """No device tree: its firmware keeps the time. A date before the program was written is none."""
    assert set_by(EVENING, tmp_path) == "machine"
    assert set_by(datetime(2026, 1, 1, tzinfo=UTC), tmp_path) == ""
    (tmp_path / "run/systemd/timesync").mkdir(parents=True)
    (tmp_path / "run/systemd/timesync/synchronized").touch()
    assert set_by(datetime(1970, 1, 1, tzinfo=UTC), tmp_path) == ""


def test_this_machine_can_be_asked() -> None:
    """The moment that is now has the name of this run of the machine, which Linux gives, and a clock that goes on."""
    clock = SystemClock()
    first, second = clock(), clock()
    assert first.clock is not None
    assert second.clock is not None
    assert first.clock.boot == Path("/proc/sys/kernel/random/boot_id").read_text().strip()
    assert second.clock.monotonic_s >= first.clock.monotonic_s > 0


def play(store: Store, board: Board, *, jump: bool = False) -> int:
    """Throw and bank in Pig, a minute before each; the network tells the time between them if `jump`."""
    session = MatchLibrary(store, board.clock, lambda _: None).begin(Match("pig", ["Ann", "Ben"]))
    board.wait(60.0)
    session.give(Throw((3,)))
    if jump:
        board.hear_the_time(board.now + timedelta(seconds=YEAR_S))
    board.wait(60.0)
    session.give(Choose("bank"))
    return session.journal.number


def test_a_wall_clock_that_jumps_by_a_year_in_a_match(board: Board, tmp_path: Path) -> None:
    """The first event is not trusted, the next one is, and the match has its date: it is in the new year."""
    with Store(tmp_path / "a.db") as store:
        number = play(store, board, jump=True)
        clocks = [event.clock for event in store.events(number)]
        assert clocks == [ClockState("run-1", 70.0, trusted=False), ClockState("run-1", 130.0, trusted=True)]
        begun = datetime.fromisoformat(store.dates()[number] or "")
        assert begun == STOPPED + timedelta(seconds=YEAR_S + 120)
        assert datetime.fromisoformat(store.match(number).begun) == STOPPED


def test_a_match_of_a_run_that_never_heard_the_time_has_no_date(board: Board, tmp_path: Path) -> None:
    """Another run that heard it does not date the first one; the clock of one run says nothing of another's."""
    with Store(tmp_path / "a.db") as store:
        first = play(store, board)
        board.switch_on()
        board.hear_the_time(EVENING)
        second = play(store, board)
        assert store.dates() == {first: None, second: "2027-12-24T18:00:00.000Z"}


def test_the_list_and_the_statistics_leave_them_out_and_say_so(
    board: Board, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """`replay` lists one match without a date, the other by local time; `stats --since` counts that one, else both."""
    path = tmp_path / "a.db"
    with Store(path) as store:
        play(store, board)
        board.switch_on()
        board.hear_the_time(EVENING)
        play(store, board)
    with monkeypatch.context() as there:
        there.setenv("TZ", "Asia/Kolkata")  # 5:30 h ahead
        time.tzset()
        assert main(["replay", "--store", str(path)]) == 0
    time.tzset()
    dated, undated, last = capsys.readouterr().out.splitlines()
    assert "2027-12-24 23:30" in dated
    assert "no date" in undated
    assert "2026" not in undated
    assert last.startswith("1 match has no date: the clock was not set")
    assert main(["replay", "1", "--store", str(path)]) == 0
    assert "the clock was not set at" in capsys.readouterr().out.splitlines()[-1]
    for days, matches, left_out in [
        ([], 2, None),
        (["--since", "2027-12-23"], 1, 1),
        (["--until", "2027-12-22"], 0, 1),
        (["--since", "2027-12-23", "--until", "2027-12-26"], 1, 1),
    ]:
        assert main(["stats", "--store", str(path), "--json", *days]) == 0
        facts = json.loads(capsys.readouterr().out)
        assert (facts["matches"], facts.get("undated")) == (matches, left_out)
    assert main(["stats", "--store", str(path), "--since", "2027-12-23"]) == 0
    assert "left out: 1 without a date" in capsys.readouterr().out
    assert main(["stats", "--store", str(path), "--since", "yesterday"]) == 2


def test_a_store_of_before_keeps_its_dates_and_goes_on(board: Board, tmp_path: Path) -> None:
    """No clock was noted then: every event is read, dates are as they look."""
    path = Path(shutil.copy(HERE.parent / "compatibility/files/matches.db", tmp_path / "a.db"))
    with Store(path, looking=True) as store:
        january, november = [None] * 4, ["2026-11-01T18:00:00Z"] * 4  # the program was written later than in January
        assert list(store.dates().values()) == january + november
        before = {number: store.events(number) for number in range(1, 9)}
    assert all(event.clock is None for events in before.values() for event in events)
    with Store(path) as store:
        number = play(store, board)
        assert store.events(number)[0].clock == ClockState("run-1", 70.0, trusted=False)
        assert {number: store.events(number) for number in range(1, 9)} == before


@pytest.mark.parametrize("is_set", [True, False])
def test_a_backup_says_whether_its_clock_was_set(
    board: Board, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, is_set: bool
) -> None:
    with Store(tmp_path / "a.db") as store:
        play(store, board)
    written = datetime(1970, 1, 1, tzinfo=UTC) if is_set else datetime(9999, 1, 1, tzinfo=UTC)
    monkeypatch.setattr("tabletop.store.clock.BUILT", written)
    monkeypatch.setattr("tabletop.store.clock.BOARD", Path("no-board"))  # a PC: its firmware keeps the time
    assert main(["backup", str(tmp_path / "b.zip"), "--store", str(tmp_path / "a.db")]) == 0
    with zipfile.ZipFile(tmp_path / "b.zip") as archive:
        index = json.loads(archive.read("backup.json"))
    assert index["made"]
    assert (index["clock"] == "not set") is not is_set
