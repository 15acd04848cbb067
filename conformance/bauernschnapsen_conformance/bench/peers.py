"""Other card engines beside ours, side by side in one run.

    python -m bauernschnapsen_conformance.bench.peers [--quick] [--write]

Each is installed into an environment of its own under build/ and plays random games, in turn with
ours, in a process of its own. No two games are the same work; what is comparable is one decision:
ask for the legal actions, take one, and what that leads to. What cannot be installed here is left
out with the reason.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import venv
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

from bauernschnapsen.data.locate import spec_root
from bauernschnapsen.errors import SpecError

from . import manual
from .install import python_of
from .rows import Row, Section, as_text

OURS = "bauernschnapsen"
FOLDER = "build/peers"
ROUNDS = 3
_SCRIPT = Path(__file__).with_name("peer_games.py")
_PIP = ("-m", "pip", "--quiet", "--disable-pip-version-check", "install", "--prefer-binary")


@dataclass(frozen=True, slots=True)
class Peer:
    """A package with a card game, and what is to be said about it."""

    package: str
    game: str
    about: str


PEERS = (
    Peer("open-spiel", "euchre", "C++ asked from Python; four hands, tricks"),
    Peer("open-spiel", "hearts", "the same"),
    Peer("open-spiel", "spades", "the same"),
    Peer("rlcard", "rlcard bridge", "Python; four hands, bids and tricks"),
    Peer("schnapsen", "schnapsen", "Python; two hands, tricks and marriages"),
)


@dataclass(frozen=True, slots=True)
class Measured:
    """What one engine did: medians of all rounds, and what ours did beside it."""

    version: str
    games: float
    decisions: float
    against_ours: float
    """Decisions per CPU second as a share of those of our engine in the same round."""


def measure_peers(seconds: float = 2.0, rounds: int = ROUNDS) -> Section:
    """Return a row for ours and for each peer."""
    root = spec_root().parent / FOLDER
    found: dict[str, list[dict[str, Any]]] = {}
    missing = _installed(root)
    chosen = [peer for peer in PEERS if peer.package not in missing]
    for _ in range(rounds):
        for name, python in [(OURS, Path(sys.executable))] + [
            (peer.game, python_of(root / peer.package)) for peer in chosen
        ]:
            result = _played(python, name, seconds)
            if result is not None:
                found.setdefault(name, []).append(result)
    rows = [_row(OURS, "Python; this engine, whole deals with auction and claims", found, OURS)]
    for peer in PEERS:
        name = peer.package if peer.game == peer.package else f"{peer.package}, {peer.game}"
        if peer.package in missing:
            rows.append(Row(name, "left out", missing[peer.package]))
        elif len(found.get(peer.game, ())) < rounds:
            rows.append(Row(name, "left out", "it does not run here"))
        else:
            rows.append(_row(name, peer.about, found, peer.game))
    return Section("Random games, decisions per CPU second", tuple(rows))


def _row(name: str, about: str, found: dict[str, list[dict[str, Any]]], game: str) -> Row:
    measured = compare(found[game], found[OURS])
    told = f"{about}; {measured.games:,.0f} games"
    if game != OURS:
        told += f"; {measured.against_ours:.2f} times ours"
    return Row(f"{name} {measured.version}", f"{measured.decisions:,.0f}", told)


def compare(own: Sequence[dict[str, Any]], ours: Sequence[dict[str, Any]]) -> Measured:
    """Return the medians of all rounds; ratios are taken round by round."""
    rates = [one["decisions"] / one["seconds"] for one in own]
    beside = [one["decisions"] / one["seconds"] for one in ours]
    return Measured(
        own[0]["version"],
        median(one["games"] / one["seconds"] for one in own),
        median(rates),
        median(rate / other for rate, other in zip(rates, beside, strict=True)),
    )


def _played(python: Path, game: str, seconds: float) -> dict[str, Any] | None:
    argv = [str(python), str(_SCRIPT), game, str(seconds)]
    ended = subprocess.run(argv, check=False, capture_output=True, text=True)
    if ended.returncode != 0:
        return None
    result: dict[str, Any] = json.loads(ended.stdout.splitlines()[-1])
    return result


def _installed(root: Path) -> dict[str, str]:
    """Make sure of an environment for each package; why not, for those that cannot be had."""
    missing = {}
    for package in dict.fromkeys(peer.package for peer in PEERS):
        folder = root / package
        done = folder / "installed"
        if done.exists():
            continue
        venv.create(folder, with_pip=True, clear=True)
        argv = [str(python_of(folder)), *_PIP, package]
        ended = subprocess.run(argv, check=False, capture_output=True, text=True)
        if ended.returncode == 0:
            done.touch()
        else:
            missing[package] = reason_of(ended.stderr)
    return missing


def reason_of(complaint: str) -> str:
    """Return pip's own reason, the last line that is an error, without addresses."""
    lines = [line for line in complaint.splitlines() if line.startswith("ERROR")]
    said = lines[-1].removeprefix("ERROR: ") if lines else "it could not be installed"
    words = [word for word in said.split() if "://" not in word]
    return " ".join(words)[:160]


def main(argv: Sequence[str] | None = None) -> int:
    """Print the table; exit code 0, or 2 outside a checkout."""
    parser = argparse.ArgumentParser(
        prog="bench.peers", description="Measure other engines beside ours."
    )
    parser.add_argument("--quick", action="store_true", help="a tenth of the work")
    parser.add_argument("--write", action="store_true", help=f"the table into {manual.PAGE}")
    options = parser.parse_args(argv)
    if options.write and options.quick:
        parser.error("only a whole run is written")
    try:
        manual.page()
        section = measure_peers(0.2, 1) if options.quick else measure_peers()
        print(as_text([section]))  # noqa: T201
        if options.write:
            manual.write("peers", [section])
    except SpecError as error:
        print(f"bench: {error}", file=sys.stderr)  # noqa: T201
        return 2
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
