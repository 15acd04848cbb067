"""All situations: how an engine is asked them, and what is said about it."""

from __future__ import annotations

import gzip
import hashlib
import json
import random
from dataclasses import replace
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from certifying import PROGRAM, corpus
from certifying import kind as kind_of_engine
from certifying import small_suite as small_suite  # noqa: PLC0414 - a fixture
from javascript_adapter import HERE, NODE

from bauernschnapsen.data.schemas import validate
from bauernschnapsen.ruleset import load_ruleset, rules_of
from bauernschnapsen_conformance.adapter import AdapterCommand, Session
from bauernschnapsen_conformance.commands import main
from bauernschnapsen_conformance.corpus import Corpus
from bauernschnapsen_conformance.exhaustive import asking
from bauernschnapsen_conformance.exhaustive.asking import (
    LEGAL,
    WINNER,
    Batch,
    Tally,
    legal_batches,
    sweep,
    winner_batches,
)
from bauernschnapsen_conformance.exhaustive.auctions import Auctions, all_auctions
from bauernschnapsen_conformance.exhaustive.blame import TOO_FEW, TOO_MANY, WRONG_SEAT
from bauernschnapsen_conformance.exhaustive.keys import keys
from bauernschnapsen_conformance.exhaustive.lines import AUCTIONS, write_lines
from bauernschnapsen_conformance.exhaustive.published import published
from bauernschnapsen_conformance.exhaustive.situations import Writer, kinds
from bauernschnapsen_conformance.exhaustive.sweeping import sweep_engine
from bauernschnapsen_conformance.exhaustive.winners import won_tricks
from bauernschnapsen_conformance.reference_adapter import ReferenceAdapter
from bauernschnapsen_conformance.report.exhaustive import exhaustive_lines
from bauernschnapsen_conformance.report.machine import json_report
from bauernschnapsen_conformance.run.in_process import PythonEngine
from bauernschnapsen_conformance.run.levels import Level
from bauernschnapsen_conformance.run.runner import certify

PAGAT = rules_of("pagat")
WITH_TRUMP = kinds(PAGAT)[0]
JAVASCRIPT = ("node", str(HERE / "adapter.mjs"))
needs_node = pytest.mark.skipif(NODE is None, reason="node is not installed")


class Faulty(ReferenceAdapter):
    """The reference engine, and what becomes of some cases of its queries."""

    def __init__(self, spoil: Any) -> None:
        super().__init__()
        self.spoil = spoil
        self.lists: list[int] = []

    def handle(self, message: Any) -> Any:
        reply = super().handle(message)
        if "cases" not in message:
            return reply
        self.lists.append(len(message["cases"]))
        pairs = zip(message["cases"], reply["ok"], strict=True)
        return {"ok": [self.spoil(case, answer) for case, answer in pairs]}


@lru_cache
def some_batches(winning: int | None = None) -> list[Batch]:
    """Some 3,000 trick situations with trumps, all or those that one card wins (by roles)."""
    writer = Writer(PAGAT, WITH_TRUMP)
    found = [
        (number, key)
        for number, key in enumerate(keys(5, trump=True))
        if winning is None or key.winning == winning
    ]
    chosen = random.Random(9).sample(found, 120)
    several = (one for number, key in chosen for one in writer.situations(key, number))
    return list(legal_batches(PAGAT, several))


@lru_cache
def some_winners() -> list[Batch]:
    return list(winner_batches(PAGAT, islice(won_tricks(PAGAT, WITH_TRUMP), 0, None, 200)))


def swept(spoil: Any, source: list[Batch] | None = None) -> tuple[Tally, Faulty]:
    adapter = Faulty(spoil)
    engine = PythonEngine(adapter)
    engine.start()
    tally = Tally()
    sweep(engine, some_batches() if source is None else source, PAGAT, tally)
    return tally, adapter


@pytest.mark.slow
def test_a_right_engine_is_right_everywhere() -> None:
    for source in (some_batches(), some_winners()):
        tally, adapter = swept(lambda _, answer: answer, source)
        assert tally.complete
        assert tally.conforms
        assert tally.right == tally.cases == sum(len(one.cases) for one in source) > 2000
        assert max(adapter.lists) == 256


@pytest.mark.slow
def test_the_order_of_cards_does_not_matter() -> None:
    tally, _ = swept(lambda _, answer: answer[::-1])
    assert tally.complete


@pytest.mark.slow
def test_wrong_answers_are_told_by_their_cause() -> None:
    tally, _ = swept(lambda case, _: case["hand"])
    assert not tally.conforms
    assert tally.right + tally.wrong == tally.cases
    assert {cause.what for cause in tally.causes} == {TOO_MANY}
    rules = {cause.rule for cause in tally.causes}
    assert {"play.follow", "play.ruff"} <= rules
    for cause, example in tally.examples.items():
        assert tally.causes[cause] >= 1
        assert set(example.expected) < set(example.got)
        assert f"legal {example.expected[0]}" in str(example)
    tally, _ = swept(lambda _, answer: answer[:1])
    assert {cause.what for cause in tally.causes} == {TOO_FEW}
    assert "play.discard" in {cause.rule for cause in tally.causes}
    tally, _ = swept(lambda case, _: case["trick"][0][0], some_winners())
    assert {cause.what for cause in tally.causes} == {WRONG_SEAT}
    assert {cause.rule for cause in tally.causes} == {"play.trump-wins", "play.suit-wins"}


@pytest.mark.slow
def test_the_order_of_two_trumps_is_noticed() -> None:
    """A published engine judged by the trump played last, not by the highest."""

    def last_trump(case: Any, answer: Any) -> Any:
        trumps = [card for _, card in case["trick"] if card[1] == case["trump"]]
        led = case["trick"][0][1][1] if case["trick"] else None
        mine = [card for card in case["hand"] if card[1] == case["trump"]]
        follows = any(card[1] == led for card in case["hand"])
        if len(trumps) < 2 or led == case["trump"] or follows or not mine:
            return answer
        higher = [card for card in mine if "ATKQJ".index(card[0]) < "ATKQJ".index(trumps[-1][0])]
        return higher or mine

    ten_of_trumps = 6
    tally, _ = swept(last_trump, some_batches(ten_of_trumps))
    assert 0 < tally.wrong < tally.right
    assert {cause.rule for cause in tally.causes} == {"play.over-ruff", "play.under-ruff"}


@pytest.mark.slow
def test_what_is_not_answered_is_counted_apart() -> None:
    def holds_the_ace(case: Any) -> bool:
        return bool(case["hand"][0] == "AH")

    tally, _ = swept(lambda case, answer: None if holds_the_ace(case) else answer)
    assert tally.unsupported > 0
    assert tally.right + tally.unsupported == tally.cases
    assert tally.conforms
    assert not tally.complete
    for bad in ({"error": {"message": "no"}}, "AH", [1], 7):
        tally, _ = swept(lambda case, answer, bad=bad: bad if holds_the_ace(case) else answer)
        assert tally.errors > 0
        assert tally.right + tally.errors == tally.cases
        assert not tally.conforms


def test_a_crash_costs_one_case() -> None:
    wanted = json.loads(some_batches()[0].cases[77])
    met = 0

    def crash(case: Any, answer: Any) -> Any:
        nonlocal met
        if case == wanted:
            met += 1
            raise RuntimeError("this one only")
        return answer

    source = some_batches()[:3]
    tally, adapter = swept(crash, source)
    assert (tally.errors, tally.right) == (1, tally.cases - 1)
    assert met == 3
    assert adapter.lists == [*(len(one.cases) for one in source), *[16] * 16, *[1] * 16]
    assert "this one only" in next(iter(tally.reasons))


def test_an_engine_that_faults_everywhere_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asking, "_MOST_CUT_UP", 3)
    asked: list[int] = []

    class Hopeless(ReferenceAdapter):
        def handle(self, message: Any) -> Any:
            if "cases" in message:
                asked.append(len(message["cases"]))
                raise RuntimeError("always")
            return super().handle(message)

    engine = PythonEngine(Hopeless())
    engine.start()
    tally = Tally()
    whole = next(one for one in some_batches() if len(one.cases) == 256)
    sweep(engine, [whole] * 5, PAGAT, tally)
    assert (tally.errors, tally.right) == (5 * 256, 0)
    assert asked == [256] * 5 + [16] * 3 * 16 + [1] * 3 * 256


# --------------------------------------------------------------------------- certify


@lru_cache
def some_auctions() -> Auctions:
    whole = all_auctions(PAGAT)
    return replace(whole, walks=whole.walks[::20])


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch, small_suite: Corpus) -> None:
    """Commands take a sample for all situations there are."""
    assert small_suite.items
    ask = "bauernschnapsen_conformance.exhaustive.sweeping"
    sources = {LEGAL: some_batches(), WINNER: some_winners()}
    monkeypatch.setattr(f"{ask}.batches", lambda *what: sources[what[-1]])
    whole = some_auctions()
    monkeypatch.setattr(f"{ask}.all_auctions", lambda _: whole)


@pytest.mark.slow
@pytest.mark.usefixtures("few")
def test_certify_says_that_all_situations_are_right(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = [tmp_path / "report.json", tmp_path / "certificate.json"]
    arguments = ["certify", "--exhaustive", "--json", str(files[0]), "--certificate", str(files[1])]
    assert main([*arguments, "--", *PROGRAM, "serve"]) == 0
    told = capsys.readouterr().out
    cases = sum(len(one.cases) for one in some_batches())
    assert f"All {cases:,} trick situations (139,455 keys) are answered rightly." in told
    assert "302 classes of situations" in told
    report, certificate = (json.loads(file.read_text()) for file in files)
    assert not validate(report, "report")
    assert not validate(certificate, "certificate")
    assert certificate["exhaustive"] == report["exhaustive"]
    found = certificate["exhaustive"]
    assert found["conforms"]
    assert found["legal_plays"]["right"] == cases
    assert found["legal_plays"]["sha256"] == [one["sha256"] for one in published()["pagat"][LEGAL]]
    assert main(["verify-certificate", str(files[1]), "--", *PROGRAM, "serve"]) == 0
    certificate["exhaustive"]["auctions"]["classes"] += 1
    files[1].write_text(json.dumps(certificate))
    assert main(["verify-certificate", str(files[1]), "--", *PROGRAM, "serve"]) == 1
    assert "auctions, classes: certified 303, now 302" in capsys.readouterr().out


@pytest.mark.slow
@pytest.mark.usefixtures("few")
def test_a_wrong_answer_withholds_the_level(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The corpus finds nothing here: the engine errs in a place that only the sweep visits."""

    def rare(case: Any, answer: Any) -> Any:
        return (
            case["hand"] if len(case["hand"]) == 4 and case["contract"] == "schnapser" else answer
        )

    adapter = Faulty(rare)
    report = certify(corpus(40), load_ruleset("pagat"), started(adapter), exhaustive=True)
    assert report.exit_code == 1
    assert Level.TRICKS not in report.levels
    assert Level.AUCTION in report.levels
    told = json_report(report)
    assert not validate(told, "report")
    assert not told["conforming"]
    assert told["exhaustive"]["withheld"] == ["tricks"]
    assert not told["levels"]["tricks"]["reached"]
    lines = "\n".join(exhaustive_lines(told["exhaustive"]))
    assert "play.follow: " in lines
    assert "The shortest trick situation: schnapser by" in lines
    request = told["exhaustive"]["legal_plays"]["causes"][0]["request"]
    assert len(request["cases"]) == 1
    assert capsys.readouterr().out == ""
    assert tmp_path.exists()


def started(adapter: Any) -> PythonEngine:
    engine = PythonEngine(adapter, rules=load_ruleset("pagat"))
    engine.start()
    return engine


@pytest.mark.slow
@pytest.mark.usefixtures("few")
def test_what_an_engine_cannot_be_asked_is_said() -> None:
    adapter = kind_of_engine(queries=False, starts=("contract",))
    report = certify(corpus(200), load_ruleset("pagat"), started(adapter), exhaustive=True)
    assert report.exit_code == 0
    told = exhaustive_lines(json_report(report)["exhaustive"])
    assert "Not asked: trick situations, since the engine does not answer" in told[0]
    assert "Not asked: complete tricks, since the engine does not answer" in told[1]
    assert "Not asked: ways through the auction, since the engine does not start" in told[2]


@needs_node
@pytest.mark.gates
def test_the_second_engine_is_right_in_all_situations() -> None:
    with Session(AdapterCommand(JAVASCRIPT), rules=load_ruleset("pagat")) as session:
        found = sweep_engine(session, load_ruleset("pagat"), session.hello)
    assert found.conforms
    assert all(part.tally is not None and part.tally.complete for part in found.parts.values())
    tally = found.parts[LEGAL].tally
    assert tally is not None
    assert tally.cases == 3_859_423


@needs_node
@pytest.mark.gates
def test_a_fault_of_the_second_engine_is_found_wherever_it_shows() -> None:
    command = AdapterCommand((*JAVASCRIPT, "--fault", "beats-first-card"))
    with Session(command, rules=load_ruleset("pagat")) as session:
        found = sweep_engine(session, load_ruleset("pagat"), session.hello)
    assert found.withheld == {Level.TRICKS}
    tally = found.parts[LEGAL].tally
    assert tally is not None
    assert {cause.rule for cause in tally.causes} <= {"play.beat", "play.cannot-beat"}
    assert tally.wrong > 50_000


def test_exhaustive_belongs_to_no_shard(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["certify", "--exhaustive", "--shard", "1/2", "--", "true"]) == 2
    assert "it belongs to no shard" in capsys.readouterr().err


# --------------------------------------------------------------------------- export


def test_all_answers_can_be_had_as_lines(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(write_lines, "__defaults__", ((AUCTIONS,),))
    plain, packed = tmp_path / "all.txt", tmp_path / "all.txt.gz"
    arguments = ["export", "--exhaustive", "--ruleset", "conservative", "--output"]
    assert main([*arguments, str(plain)]) == 0
    assert main([*arguments, str(packed)]) == 0
    text = plain.read_bytes()
    assert gzip.decompress(packed.read_bytes()) == text
    content, _, said = text.partition(b"# ")
    expected = published()["conservative"][AUCTIONS][0]["sha256"]
    assert hashlib.sha256(content).hexdigest() == expected
    assert said.decode() in capsys.readouterr().err
    assert expected in said.decode()


def test_lines_that_cannot_be_written_are_complained_about(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["export", "--exhaustive", "--output", str(tmp_path / "no" / "all.txt")]) == 2
    assert main(["export", "--exhaustive", "--indent"]) == 2
    assert "--exhaustive writes lines" in capsys.readouterr().err
