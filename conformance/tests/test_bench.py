"""The benches: figures, their tables, and that each of them can be taken at all."""

from __future__ import annotations

import datetime
import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from bauernschnapsen.errors import SpecError
from bauernschnapsen.ruleset import rules_of
from bauernschnapsen_conformance.bench import __main__ as bench
from bauernschnapsen_conformance.bench import install, manual, peer_games, peers, rulebook, suite
from bauernschnapsen_conformance.bench.engine import numbers_of, play_at_random, play_cards
from bauernschnapsen_conformance.bench.rows import (
    Row,
    Section,
    Timed,
    as_table,
    as_text,
    timed,
    yardstick,
)
from bauernschnapsen_conformance.bench.session import Measured, Round
from bauernschnapsen_conformance.corpus.translations import load_languages
from bauernschnapsen_conformance.rulebook import site

LANGUAGES = load_languages().published
ROWS = Section(
    "Things", (Row("Fast", "12", "3 yards", "10", True), Row("Slow", "1", "", "10", False))
)


def test_a_row_says_whether_its_target_is_reached() -> None:
    assert [row.verdict for row in ROWS.rows] == ["reached", "missed"]
    assert Row("One", "1", "").cells() == ("One", "1", "", "")
    text = as_text([ROWS])
    assert text.splitlines()[0] == "Things"
    assert "12  3 yards  10: reached" in text
    assert "10: missed" in text
    table = as_table([ROWS]).splitlines()
    assert table[0] == "| Things | | | Target |"
    assert table[2] == "| Fast | 12 | 3 yards | 10: reached |"


def test_work_is_measured_in_yards() -> None:
    turns = 60_000

    def loop() -> None:
        x = 1
        for i in range(turns):
            x = (x * 31 + i) & 0xFFFF

    found = timed(loop, rounds=3)
    # The loop is the yardstick itself.
    assert 0.4 < found.each(turns)[1] < 2.5
    assert yardstick() > 100_000
    assert Timed(0.5, 100.0).each(50) == (100.0, 2.0)


def test_overhead_is_taken_round_by_round_and_in_cpu_time() -> None:
    rounds = (
        Round(100, 50, 25, 10e-6, 30e-6),
        Round(10, 5, 1, 20e-6, 50e-6),
        Round(1000, 500, 300, 10e-6, 20e-6),
    )
    found = Measured(1, rounds)
    assert (found.session, found.bare) == (300, 500)
    assert found.share_of_raw == 0.25
    assert found.share == pytest.approx(0.4)
    assert found.overhead == pytest.approx(20)


def test_the_same_deals_are_played_every_time() -> None:
    rules = rules_of("pagat")
    numbers = numbers_of(30)
    assert numbers == numbers_of(40)[:30]
    assert play_at_random(rules, numbers) == play_at_random(rules, numbers) > 30
    assert play_cards(rules, numbers) > 30 * 10


# --------------------------------------------------------------------------- the manual


def test_the_manual_has_a_place_for_each_table() -> None:
    text = manual.page().read_text(encoding="utf-8")
    for name in ("bench", "peers"):
        changed = manual.with_table(text, name, "| new |")
        begin, end = manual.markers(name)
        assert f"{begin}\n| new |\n{end}" in changed
        assert manual.with_table(changed, name, "| new |") == changed
    assert "reached" in text
    for part in ("Reference engine", "Through the pipe", "Starting", "Installing", "Random games"):
        assert f"| {part}" in text
    with pytest.raises(SpecError, match="no place for the table"):
        manual.with_table("nothing", "bench", "")


def test_a_table_is_written_with_the_day(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    page = tmp_path / "performance.md"
    page.write_text("# Speed\n<!-- peers -->\nold\n<!-- end of peers -->\nrest\n")
    monkeypatch.setattr(manual, "page", lambda: page)
    manual.write("peers", [ROWS], today=datetime.date(2026, 2, 3))
    text = page.read_text()
    assert "old" not in text
    assert "Measured on 2026-02-03 with Python" in text
    assert text.endswith("| Slow | 1 |  | 10: missed |\n<!-- end of peers -->\nrest\n")


# --------------------------------------------------------------------------- commands


def test_only_a_whole_run_is_written(capsys: pytest.CaptureFixture[str]) -> None:
    for arguments in (["--write", "--quick"], ["--write", "engine"], ["nonsense"]):
        with pytest.raises(SystemExit) as leave:
            bench.main(arguments)
        assert leave.value.code == 2
    assert "there is no section nonsense" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        peers.main(["--write", "--quick"])


def test_sections_can_be_chosen(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked: list[tuple[str, float]] = []

    def measure(name: str, scale: float) -> Section:
        asked.append((name, scale))
        return ROWS

    monkeypatch.setattr(bench, "measure", measure)
    written: list[Any] = []
    monkeypatch.setattr(manual, "write", lambda *what: written.append(what))
    assert bench.main(["pipe"]) == 0
    assert bench.main(["--quick"]) == 0
    quick = ("engine", "pipe", "suite", "start", "site")
    assert asked == [("pipe", 1.0), *((name, 0.1) for name in quick)]
    assert not written
    assert bench.main(["--write"]) == 0
    assert written == [("bench", [ROWS] * len(bench.NAMES))]
    assert "10: missed" in capsys.readouterr().out


@pytest.mark.slow
def test_the_engine_can_be_measured() -> None:
    program = [sys.executable, "-m", "bauernschnapsen_conformance.bench", "--quick", "engine"]
    done = subprocess.run(program, capture_output=True, text=True, timeout=120, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    for row in ("Deal numbers to hands", "Plays of deals", "Lines of play", "Trick situations"):
        assert row in done.stdout


def test_starting_is_measured_beside_python_doing_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(suite, "_started", lambda argv: (0.01 if "-c" in argv else 0.3, 0.5))
    rows = suite.measure_starting().rows
    assert [row.met for row in rows] == [False, False]
    assert rows[0].figure == "300 ms"
    assert "30.0 times Python doing nothing" in rows[0].ratio


def test_what_cannot_be_installed_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(install, "_run", lambda _: "no index was found")
    [row] = install.measure_install().rows
    assert row.ratio == "the wheel could not be built: no index was found"


def test_without_mkdocs_no_site_is_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    [row] = rulebook.measure_site(1.0).rows
    assert "extra `docs`" in row.ratio


@pytest.mark.parametrize(
    ("scale", "languages"), [(0.1, "one language"), (1.0, f"{len(LANGUAGES)} languages")]
)
def test_a_site_is_measured_by_its_languages(
    monkeypatch: pytest.MonkeyPatch, scale: float, languages: str
) -> None:
    def build(output: Path, built: Sequence[str], _: int) -> list[str]:
        output.mkdir()
        (output / "index.html").write_bytes(b"x" * 100_000 * len(built))
        return []

    monkeypatch.setattr("importlib.util.find_spec", lambda _: object())
    monkeypatch.setattr(site, "build", build)
    working, size = rulebook.measure_site(scale).rows
    assert working.met
    assert working.ratio.startswith(languages)
    assert size.figure == f"{0.1 * (1 if scale < 1 else len(LANGUAGES)):.1f} MB"
    monkeypatch.setattr(site, "build", lambda *_: ["a link leads nowhere"])
    [row] = rulebook.measure_site(scale).rows
    assert row.ratio == "the site has a fault: a link leads nowhere"


# --------------------------------------------------------------------------- peers


def test_our_engine_plays_beside_the_others(capsys: pytest.CaptureFixture[str]) -> None:
    peer_games.main("bauernschnapsen", 0.02)
    found = json.loads(capsys.readouterr().out)
    assert found["decisions"] > 5 * found["games"] > 0
    assert found["seconds"] >= 0.02
    assert found["version"]


def test_ratios_are_taken_round_by_round() -> None:
    def played(decisions: int, seconds: float) -> dict[str, Any]:
        return {"games": 10, "decisions": decisions, "seconds": seconds, "version": "1"}

    ours = [played(100, 1.0), played(100, 2.0), played(100, 4.0)]
    own = [played(200, 1.0), played(200, 2.0), played(200, 5.0)]
    found = peers.compare(own, ours)
    assert found.against_ours == 2.0
    assert found.decisions == 100.0


def test_peers_that_cannot_be_had_are_left_out_with_the_reason(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    missing = {"rlcard": "no wheel exists for this Python"}
    monkeypatch.setattr(peers, "_installed", lambda _: missing)

    def played(_: Path, game: str, seconds: float) -> dict[str, Any] | None:
        if game == "hearts":
            return None
        rate = 5 if game == "euchre" else 1
        return {"games": 9, "decisions": 90 * rate, "seconds": seconds, "version": "7"}

    monkeypatch.setattr(peers, "_played", played)
    rows = {row.name: row for row in peers.measure_peers(0.1, 2).rows}
    assert rows["rlcard, rlcard bridge"].ratio == "no wheel exists for this Python"
    assert rows["open-spiel, hearts"].ratio == "it does not run here"
    assert "5.00 times ours" in rows["open-spiel, euchre 7"].ratio
    assert rows["bauernschnapsen 7"].figure == "900"


def test_the_reason_is_pips_own_without_addresses() -> None:
    complaint = (
        "WARNING: Location 'file:///somewhere/' is ignored\n"
        "ERROR: Could not find a version that satisfies the requirement rlcard (from none)\n"
        "ERROR: No matching distribution found for rlcard at https://example.org/simple/\n"
    )
    assert peers.reason_of(complaint) == "No matching distribution found for rlcard at"
    assert peers.reason_of("") == "it could not be installed"
