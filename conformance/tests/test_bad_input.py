"""Bad input gets one clear line and the right exit code, never a traceback."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from certifying import BROKEN, PROGRAM
from certifying import small_suite as small_suite  # noqa: PLC0414 - a fixture
from certifying import told as told  # noqa: PLC0414 - a fixture

from bauernschnapsen_conformance.commands import main

EXAMPLE = """\
topic: Bad input
deals:
  d1:
    dealer: W
    N: AH TH KC AS QD
    E: KH QH JH AC TC
    S: QC JC AD TD KD
    W: JD TS KS QS JS
scenarios:
  - id: play.bad.input
    title: A scenario to spoil
    why: {en: It is spoilt in several ways.}
    rules: [play.turn]
    deal: d1
    contract: {name: normal, by: N, trump: H}
    steps:
      - N play AH
      - refused: S play QC
        because: play.turn
      - expect: {to_act: E, legal: {E: [play KH, play QH, play JH]}}
"""


def scenario(tmp_path: Path, old: str = "", new: str = "") -> str:
    folder = tmp_path / "play"
    folder.mkdir(exist_ok=True)
    file = folder / "bad.yaml"
    assert old in EXAMPLE
    file.write_text(EXAMPLE.replace(old, new, 1) if old else EXAMPLE, encoding="utf-8")
    return str(file)


def test_the_example_is_in_order(told: Any, tmp_path: Path) -> None:
    assert told("check", scenario(tmp_path)) == (0, [])


@pytest.mark.parametrize(
    ("old", "new", "wanted"),
    [
        ("N: AH TH KC AS QD", "N: AH TH KC AS", ["bad.yaml:4", "d1", "19 cards"]),
        ("N: AH TH KC AS QD", "N: AH TH KC AS QD JD", ["bad.yaml:8", "d1", "JD", "N 6"]),
        ("N: AH TH KC AS QD", "N: AH AH KC AS QD", ["bad.yaml", "d1", "AH"]),
        ("E: KH QH JH AC TC", "E: KH QH JH AC AS", ["bad.yaml", "d1", "AS"]),
        ("N: AH TH KC AS QD", "N: AH TH KC AS 10D", ["bad.yaml:5", "10D"]),
        ("- N play AH", "- X play AH", ["bad.yaml:17", "X"]),
        ("by: N, trump", "by: Q, trump", ["bad.yaml:15", "Q"]),
        ("dealer: W", "dealer: Z", ["bad.yaml:4", "Z"]),
        ("- N play AH", "- S play QC", ["bad.yaml:17", "steps[0]", "play.bad.input", "play.turn"]),
        ("- N play AH", "- N fly AH", ["bad.yaml:17"]),
        (
            "rules: [play.turn]",
            "rules: [play.trun]",
            ["bad.yaml:13", "play.trun", "did you mean 'play.turn'"],
        ),
        (
            "because: play.turn",
            "because: play.tunr",
            ["bad.yaml:19", "play.tunr", "did you mean 'play.turn'"],
        ),
        ("rules: [play.turn]", "rules: [play.turn", ["bad.yaml:14"]),
        ("deal: d1", "deal: d2", ["bad.yaml", "d2"]),
        ("topic: Bad", "topic: &a Bad", ["bad.yaml:1", "anchor"]),
        ("topic: Bad input", "topic: Bad\ntopic: input", ["bad.yaml:2", "topic"]),
        ("legal: {E", "lgeal: {E", ["bad.yaml:20", "lgeal", "legal"]),
        ("name: normal", "name: nromal", ["bad.yaml:15", "'nromal'", "did you mean 'normal'"]),
        ("name: normal", "name: plauderer", ["bad.yaml:15", "not played under pagat", "played: t"]),
        (
            "deal: d1",
            "deal: d1\n    under: {options: {claim_bi: side}}",
            ["bad.yaml:15", "claim_by"],
        ),
        ("deal: d1", "deal: d1\n    under: {ruleset: pagatt}", ["bad.yaml:15", "mean 'pagat'?"]),
        ("deal: d1", "under: {ruleset: talon}\n    deal: d1", ["bad.yaml:15", "under talon: "]),
        ("deal: d1", "deal: d1\n    scores: {NS: 5, N: 3}", ["bad.yaml:15", "the sides NS EW"]),
        ("to_act: E", "bid: normal", ["bad.yaml:20", "expected null or a bid such as {seat"]),
        ("[play KH, play QH, play JH]", "play KH", ["bad.yaml:20", "write a list of actions"]),
        ("to_act: E", "to_act: W", ["bad.yaml:20", "to_act is stated as W, but the reference"]),
        ("to_act: E", "trump: null", ["bad.yaml:20", "trump is stated as null", "says H"]),
        ("play KH, play QH", "play QH", ["bad.yaml:20", "also allows play KH"]),
        ("play KH, play QH", "play KC, play QH, play KH", ["bad.yaml:20", "forbids play KC"]),
        ("to_act: E", "can: [E play KH, E marry KH]", ["bad.yaml:20", "can[1]", "E may play JH"]),
        ("to_act: E", "cannot: [E play KH]", ["bad.yaml:20", "cannot[0]", "allows it"]),
        (
            "because: play.turn",
            "because: play.beat",
            ["bad.yaml:18", "stated as refused by play.beat"],
        ),
    ],
)
def test_a_scenario_that_is_wrong(
    old: str, new: str, wanted: list[str], told: Any, tmp_path: Path
) -> None:
    code, lines = told("check", scenario(tmp_path, old, new))
    assert code == 2
    assert re.fullmatch(r"\d+ faults? found", lines[-1])
    first = lines[0]
    for words in wanted:
        assert any(words in line for line in lines[:-1]), (words, lines)
    assert "bad.yaml" in first
    assert all(line.isprintable() and "None" not in line for line in lines)
    assert len(lines) <= 5


def test_a_position_of_an_unknown_contract(told: Any, tmp_path: Path) -> None:
    file = tmp_path / "play-x.yaml"
    file.write_text(
        "topic: Bad input\npositions:\n"
        "  - {rules: [play.beat], contract: nromal, trump: H, declarer: N, cases: [\n"
        "      {trick: N KH, seat: E, hand: AH JH, legal: AH}]}\n",
        encoding="utf-8",
    )
    code, lines = told("check", str(file))
    assert (code, len(lines)) == (2, 2)
    assert "play-x.yaml:4: contract: " in lines[0]
    assert "there is no contract 'nromal' (did you mean 'normal'?)" in lines[0]


def test_what_follows_a_wrong_action_is_not_told(told: Any, tmp_path: Path) -> None:
    code, lines = told("check", scenario(tmp_path, "- N play AH", "- N play QC"))
    assert (code, len(lines)) == (2, 2)
    assert "bad.yaml:17" in lines[0]
    assert "(if that is meant: refused: N play QC, because: play.own-cards; " in lines[0]


def test_a_fault_in_a_later_deal_names_its_line(told: Any, tmp_path: Path) -> None:
    text = EXAMPLE[: EXAMPLE.index("    deal: d1")]
    deal = "      - deal: d1\n        contract: {name: NAME, by: N, trump: H}\n"
    steps = "        steps:\n          - N play AH\n          - expect: {to_act: SEAT}\n"
    good = (deal + steps).replace("NAME", "normal")
    file = tmp_path / "bad.yaml"
    for name, seat, line in (("normal", "S", 24), ("nromal", "E", 21)):
        second = (deal + steps).replace("NAME", name).replace("SEAT", seat)
        whole = f"{text}    play_on:\n{good.replace('SEAT', 'E')}{second}"
        file.write_text(whole, encoding="utf-8")
        code, lines = told("check", str(file))
        assert (code, len(lines)) == (2, 2)
        assert f"bad.yaml:{line}: scenarios[0].play_on[1]." in lines[0]


def test_a_wrong_contract_in_a_bid_has_a_hint(told: Any, tmp_path: Path) -> None:
    spoilt = scenario(tmp_path, "    contract: {name: normal, by: N, trump: H}\n", "")
    text = Path(spoilt).read_text(encoding="utf-8")
    steps = "- N trump H\n      - N bid nromal\n      - N play AH"
    Path(spoilt).write_text(text.replace("- N play AH", steps), encoding="utf-8")
    code, lines = told("check", spoilt)
    assert (code, len(lines)) == (2, 2)
    assert "bad.yaml:17" in lines[0]
    assert "did you mean 'normal'?" in lines[0]


@pytest.mark.parametrize(
    ("name", "content", "wanted"),
    [
        (
            "bomb.yaml",
            b"a: &a [x, x, x]\n"
            + b"".join(
                b"%c: &%c [*%c, *%c, *%c]\n" % (c + 1, c + 1, c, c, c) for c in range(97, 115)
            ),
            "anchor",
        ),
        ("large.yaml", b"# " + b"x" * (50 << 20), "bytes"),
        ("latin.yaml", "topic: Grüße".encode("latin-1"), "UTF-8"),
        ("binary.yaml", bytes(range(256)), "binary.yaml"),
        ("empty.yaml", b"", "empty.yaml"),
        ("list.yaml", b"- 1\n- 2\n", "none of our files"),
        ("deep.yaml", b"a: " + b"[" * 5000, "deep.yaml"),
        ("tag.yaml", b"topic: !!python/object/apply:os.system [ls]\n", "tag"),
        ("two.yaml", b"a: 1\n---\nb: 2\n", "two.yaml"),
    ],
)
def test_a_file_that_is_none(
    name: str, content: bytes, wanted: str, told: Any, tmp_path: Path
) -> None:
    file = tmp_path / name
    file.write_bytes(content)
    code, lines = told("check", str(file))
    assert code == 2
    assert len(lines) == 2
    assert name in lines[0]
    assert wanted in lines[0]


def test_a_directory_and_a_file_that_is_not_there(told: Any, tmp_path: Path) -> None:
    for path, words in ((tmp_path, "directory"), (tmp_path / "none.yaml", "none.yaml")):
        code, lines = told("check", str(path))
        assert (code, len(lines)) == (2, 2)
        assert words in lines[0]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["certfy"], "did you mean 'certify'"),
        (["certify"], "name the adapter's command"),
        (["certify", "--ruleset", "pagatt", "--", "true"], "pagat"),
        (["certify", "--ruleset", "no/such/file.yaml", "--", "true"], "no/such/file.yaml"),
        (["certify", "--timeout-scale", "0", "--", "true"], "--timeout-scale"),
        (["certify", "--timeout-scale", "nan", "--", "true"], "--timeout-scale"),
        (["certify", "--jobs", "0", "--", "true"], "--jobs"),
        (["certify", "--jobs", "x", "--", "true"], "--jobs"),
        (["certify", "--failures", "-1", "--", "true"], "--failures"),
        (["certify", "--shard", "4/3", "--", "true"], "is no shard"),
        (["certify", "--seed", "x", "--", "true"], "--seed"),
        (["certify", "--transcript", "t", "--jobs", "2", "--", "true"], "transcript"),
        (["certify", "--known-failures", "none.toml", "--", "true"], "none.toml"),
        (["show", "play.heart-trik"], "did you mean play.heart-trick"),
        (["show", "play.heart-trick", "--wire", "--suits", "HHDS"], "--suits"),
        (["explain", "play.baet"], "play.beat"),
        (["merge"], "REPORTS"),
        (["merge", "no-such.json"], "no-such.json"),
        (["verify-certificate", "no-such.json", "--", "true"], "no-such.json"),
        (["export", "--ruleset", "nobody"], "nobody"),
        (["doctor"], "ADAPTER"),
    ],
)
def test_arguments_that_are_wrong(arguments: list[str], words: str, told: Any) -> None:
    code, lines = told(*arguments)
    assert code == 2
    assert len(lines) == 1
    assert words in lines[0]


def test_a_pattern_that_chooses_nothing(told: Any) -> None:
    code, lines = told("certify", "--only", "no.such.*", "--", *PROGRAM, "serve")
    assert code == 2
    assert lines == ["bauernschnapsen: no scenario is called 'no.such.*' (* stands for any text)"]


def test_a_file_that_cannot_be_written(told: Any, tmp_path: Path) -> None:
    engine = ["--python", "bauernschnapsen_conformance.reference_adapter:ReferenceAdapter"]
    one = ["certify", "--only", "play.heart-trick", *engine]
    for option in ("--json", "--junit", "--certificate", "--badge"):
        code, lines = told(*one, option, str(tmp_path / "no" / "such.svg"))
        assert (code, len(lines)) == (2, 1)
        assert "cannot be written" in lines[0]
    code, lines = told(*one, "--badge", str(tmp_path / "badge.png"))
    assert (code, len(lines)) == (2, 1)
    assert ".svg or .json" in lines[0]
    code, lines = told("certify", "--transcript", str(tmp_path), "--", *PROGRAM, "serve")
    assert (code, len(lines)) == (2, 1)
    assert "cannot be written" in lines[0]


# Adapters ----------------------------------------------------------------------------------


def broken(name: str, *arguments: str) -> list[str]:
    return [sys.executable, "-S", "-E", str(BROKEN / name), *arguments]


@pytest.mark.parametrize(
    ("adapter", "words"),
    [
        (["./no/such/adapter"], "cannot be started: No such file or directory"),
        (["no-such-program-anywhere"], "cannot be started: No such file or directory"),
        ([str(BROKEN)], "is a directory"),
        ([str(BROKEN / "base.py")], "Permission denied"),
        ([sys.executable, "-c", "import sys; sys.exit(7)"], "ended with exit code 7 before"),
        ([sys.executable, "-c", "pass"], "ended with exit code 0 before"),
        (
            [sys.executable, "-c", "print('Welcome to the engine!', flush=True)"],
            "ended with exit code 0 before",
        ),
        (["true"], "ended with exit code 0 before"),
        (["cat"], "reply to hello"),
        (["yes", "{"], "answer to hello is not usable"),
        (
            [sys.executable, "-c", "import sys\nfor l in sys.stdin: print('{\"id\":1}', flush=1)"],
            "reply to hello is not usable",
        ),
        (
            [
                sys.executable,
                "-c",
                'import sys\nfor l in sys.stdin: print(\'{"id":1,"ok":{}}\', flush=1)',
            ],
            "the reply to hello is not complete",
        ),
        (broken("other_protocol.py"), "chose protocol version 7"),
    ],
)
def test_an_adapter_that_does_not_start(adapter: list[str], words: str, told: Any) -> None:
    code, lines = told("certify", "--timeout-scale", "0.2", "--", *adapter)
    assert code == 3
    assert words in lines[0]
    assert lines[0].startswith("bauernschnapsen: ")
    assert all(line.startswith("  stderr: ") for line in lines[1:])
    assert len(lines) <= 6


def test_a_banner_first_costs_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    adapter = [sys.executable, str(BROKEN / "noise.py"), "--engine", "reference:answer"]
    assert main(["certify", "--only", "play.heart-trick*", "--", *adapter]) == 0
    assert "that are no messages, such as: " in capsys.readouterr().out


@pytest.mark.slow
@pytest.mark.usefixtures("small_suite")
@pytest.mark.parametrize("how", ["empty", "bare", "views", "unsupported", "nothing"])
def test_an_adapter_without_an_engine_reaches_no_level(
    how: str, capsys: pytest.CaptureFixture[str]
) -> None:
    adapter = broken("stubs.py", "--how", how)
    assert main(["certify", "--failures", "0", "--", *adapter]) == 1
    out = capsys.readouterr().out
    assert "No level is reached." in out
    assert re.search(r"^\d+ pass", out, re.MULTILINE) is None


@pytest.mark.slow
def test_a_closed_pipe_is_no_traceback() -> None:
    command = f"{PROGRAM[0]} -m bauernschnapsen_conformance export | head -c 100"
    done = subprocess.run(
        ["bash", "-c", command], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.stdout.startswith('{"format":"bauernschnapsen-export/1"')
    assert done.stderr == ""
