"""Every command of the manual can be typed as it stands there."""

from __future__ import annotations

import subprocess
from functools import lru_cache
from pathlib import Path

import click
import pytest
from manual_commands import ROOT, Typed, files, furnish, typed

from bauernschnapsen_conformance.commands import cli

TYPED = list(typed())
# Exit codes other than 0.
EXITS = {
    "bauernschnapsen diff pagat my-house.yaml": 1,  # they differ
}

_MINUTE = "plays or asks for a minute or more"
_WHOLE = "asks the whole suite, which other lines here do"
_KIT = "needs the kit of a language; its own tests copy, build and certify it"
_CHECKOUT = "writes into the rules of the checkout; tests of new data do it in a copy"
_SHARDS = "asks the whole suite in parts; tests of reports join the parts of a run"
NOT_RUN = {
    "bauernschnapsen fuzz -- ./adapter": _MINUTE,
    "bauernschnapsen fuzz --seconds 600 --jobs 2 -o found -- ./adapter": _MINUTE,
    "bauernschnapsen fuzz --against './old-adapter --fast' -- ./adapter": _MINUTE,
    "bauernschnapsen fuzz --resume found": _MINUTE,
    "bauernschnapsen fuzz --seed 1 --findings 1 -- "
    "bauernschnapsen serve --mutant play.beat.third-hand": "fuzz has its own tests",
    "bauernschnapsen certify --exhaustive -- ./adapter": _MINUTE,
    "bauernschnapsen certify --exhaustive --jobs 2 -- ./adapter": _MINUTE,
    "bauernschnapsen export --exhaustive --output all.txt": _MINUTE,
    "bauernschnapsen export --exhaustive --ruleset my-house.yaml | my-engine --check": _MINUTE,
    "bauernschnapsen identify -- ./adapter": "takes ten seconds; identify has tests of its own",
    "bauernschnapsen identify -o my-house.yaml -- ./adapter": "the same",
    "bauernschnapsen certify --house-rules -- ./adapter": _WHOLE,
    "bauernschnapsen certify --ruleset talon --house-rules -- ./adapter": _WHOLE,
    "bauernschnapsen certify --ruleset my-house.yaml -- ./adapter": _WHOLE,
    "bauernschnapsen certify --shard 1/3 --json 1.json -- ./adapter": _SHARDS,
    "bauernschnapsen certify --shard 2/3 --json 2.json -- ./adapter": _SHARDS,
    "bauernschnapsen certify --shard 3/3 --json 3.json -- ./adapter": _SHARDS,
    "bauernschnapsen merge 1.json 2.json 3.json": _SHARDS,
    "bauernschnapsen certify --no-blind --only 'play.*' --failures 1 "
    "-- node conformance/adapters/javascript/adapter.mjs --fault beats-first-card": (
        "needs node; another test holds what it prints against the page"
    ),
    "bauernschnapsen certify --seed 17 -- "
    "python -m bauernschnapsen_conformance.adapter.playback FILE": (
        "needs the transcript of a run; tests of transcripts play one back"
    ),
    "bauernschnapsen explain options.claim_by": "reads what every scenario shows, as the next",
    "bauernschnapsen explain contracts.bettler.value": "reads what every scenario shows",
    "bauernschnapsen rulebook my-house.yaml": "lays out a book, as the line for pagat does",
    "bauernschnapsen certify -- java -cp build Adapter": _KIT,
    "bauernschnapsen certify -- node ../my-adapter/skeleton.mjs": _KIT,
    "bauernschnapsen certify -- python3 adapter.py": _KIT,
    "bauernschnapsen certify --ruleset talon -- python3 adapter.py": _KIT,
    "bauernschnapsen certify -- target/release/adapter": _KIT,
    "make -C ../my-adapter certify": _KIT,
    "make": "builds the reader's own adapter",
    "make setup && . .venv/bin/activate": "installs; this test runs in what it has installed",
    "bauernschnapsen new scenario play.beat.my-case --rule play.beat --contract normal "
    "--file spec/scenarios/play/my-case.yaml": _CHECKOUT,
    "bauernschnapsen check spec/scenarios/play/my-case.yaml": _CHECKOUT,
    "bauernschnapsen show play.beat.my-case": _CHECKOUT,
    "bauernschnapsen mutants 'play.beat.*'": "asks many engines; mutants have their own tests",
}


def to_run() -> dict[str, list[Typed]]:
    """The lines of each page that are run; what stands on several pages is run once."""
    found: dict[str, list[Typed]] = {}
    seen = set(NOT_RUN)
    for one in TYPED:
        if not one.inline and one.usual not in seen:
            seen.add(one.usual)
            found.setdefault(one.page, []).append(one)
    return found


def test_the_manual_has_commands_and_what_is_not_run_is_among_them() -> None:
    assert len(TYPED) > 100
    usual = {one.usual for one in TYPED if not one.inline}
    assert set(NOT_RUN) <= usual, set(NOT_RUN) - usual
    assert set(EXITS) <= usual - set(NOT_RUN)
    assert sum(map(len, to_run().values())) > 15
    assert "my-house.yaml" in files()


@lru_cache(maxsize=1)
def goals() -> frozenset[str]:
    """What the Makefile can make."""
    text = (ROOT / "Makefile").read_text(encoding="utf-8")
    lines = (line for line in text.splitlines() if line.startswith(".PHONY: "))
    return frozenset(name for line in lines for name in line.split()[1:])


def why_not_understood(words: list[str], *, inline: bool) -> str | None:
    """Say what the command line does not understand, without running anything; None if all is."""
    context = click.Context(cli, info_name="bauernschnapsen")
    group: click.Group = cli
    try:
        while True:
            if words[:1] == ["--version"] or words[:1] == ["--help"]:
                return None
            name, command, words = group.resolve_command(context, words)
            assert command is not None
            if not isinstance(command, click.Group) or not words:
                command.make_context(name, words, parent=context)
                return None
            group, context = command, click.Context(command, parent=context, info_name=name)
    except click.MissingParameter as error:
        return None if inline else error.format_message()
    except click.ClickException as error:
        return error.format_message()


@pytest.mark.parametrize("one", TYPED, ids=str)
def test_every_command_of_the_manual_is_understood(one: Typed) -> None:
    for words in one.ours:
        why = why_not_understood(words, inline=one.inline)
        assert why is None, why
    for words in one.make:
        if "-C" not in words:
            assert {word for word in words if "=" not in word} <= goals()


def test_what_is_not_understood_is_found() -> None:
    for words, what in (
        (["certify", "--rulset", "x", "--", "a"], "--rulset"),
        (["certfy"], "certfy"),
        (["show"], "SCENARIO"),
        (["new", "scenery"], "scenery"),
        (["fuzz", "--jobs", "two", "--", "a"], "two"),
    ):
        assert what in (why_not_understood(words, inline=False) or "")
    assert why_not_understood(["show"], inline=True) is None


@pytest.mark.slow
@pytest.mark.parametrize("page", sorted(to_run()))
def test_the_commands_of_a_page_run_as_they_are_typed(page: str, tmp_path: Path) -> None:
    environment = furnish(tmp_path)
    for one in to_run()[page]:
        ended = subprocess.run(
            ["bash", "-o", "pipefail", "-c", one.text],
            cwd=tmp_path,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=120,
            check=False,
        )
        told = f"{one.text}\n{ended.stdout[-2000:]}\n{ended.stderr[-2000:]}"
        assert "Traceback" not in ended.stdout + ended.stderr, told
        assert ended.returncode == EXITS.get(one.usual, 0), told
