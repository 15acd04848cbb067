"""Tables of three with a talon: asked, judged, drawn and compared like tables of four."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest
from certifying import by_verdict, kind

from bauernschnapsen.perft import count_lines
from bauernschnapsen.ruleset import compile_rules, load_ruleset, rules_of, vary
from bauernschnapsen_conformance.commands import main
from bauernschnapsen_conformance.comparing import compare_rulesets
from bauernschnapsen_conformance.corpus import Corpus, PositionCase, load_corpus, prepare
from bauernschnapsen_conformance.corpus.perft import PerftCase, load_perft
from bauernschnapsen_conformance.corpus.reference import Unplayable
from bauernschnapsen_conformance.corpus.scenario import Origin
from bauernschnapsen_conformance.hints import find_hints, hint_lines
from bauernschnapsen_conformance.perft import lines_of_engine
from bauernschnapsen_conformance.reference_adapter import ReferenceAdapter
from bauernschnapsen_conformance.report.html_deal import hand_before
from bauernschnapsen_conformance.run.in_process import PythonEngine
from bauernschnapsen_conformance.run.levels import Level
from bauernschnapsen_conformance.run.outcome import Report
from bauernschnapsen_conformance.run.runner import certify
from bauernschnapsen_conformance.run.tasks import Query
from bauernschnapsen_conformance.run.turning import turn
from bauernschnapsen_conformance.run.verdicts import Verdict
from bauernschnapsen_conformance.teeth.bench import Bench, silent_rules
from bauernschnapsen_conformance.views import Statement, check_statement, compare, same

TALON = load_ruleset("talon")
RULES = rules_of("talon")
HANDS = {
    "N": ["AH", "TH", "KH", "QH", "AS", "KD"],
    "E": ["JH", "AD", "TD", "KS", "QS", "JC"],
    "S": ["QD", "JD", "TS", "JS", "KC", "QC"],
}
DEAL: dict[str, Any] = {
    "dealer": "S",
    "hands": HANDS,
    "talon": ["AC", "TC"],
    "scores": {"N": 0, "E": 0, "S": 0},
    "contract": {"name": "gang", "declarer": "E", "trump": "H"},
}


@lru_cache
def suite(step: int = 2) -> Corpus:
    """A part of the scenarios of the three-hand game, and of all positions."""
    whole = load_corpus()
    scenarios = [one for one in whole.scenarios if one.under == {"ruleset": "talon"}]
    return Corpus(tuple(scenarios[::step]), whole.positions[:: 10 * step], whole.digest)


def report_on(engine: Any, **how: Any) -> Report:
    asked = PythonEngine(engine, rules=TALON)
    asked.start()
    return certify(suite(), TALON, asked, seed=7, **{"blind": True, **how})


@pytest.mark.slow
@pytest.mark.parametrize(
    ("hidden", "missing"),
    [
        ({}, set()),
        ({"queries": False}, set()),
        ({"starts": ("deal",)}, set()),
        ({"starts": ("contract",)}, {Level.AUCTION}),
        ({"claims": "automatic"}, set()),
        ({"claims": "none"}, {Level.CLAIMS}),
        ({"enforces": False}, set()),
        ({"match": False}, {Level.MATCH}),
    ],
)
def test_every_kind_of_engine_sits_down_with_three(
    hidden: dict[str, Any], missing: set[Level]
) -> None:
    report = report_on(kind(players=(4, 3), **hidden))
    wrong = [one.item.id for one in report.judgements if not one.conforms]
    assert wrong == []
    assert len(by_verdict(report)[Verdict.PASS]) > 60
    assert set(report.levels) == set(Level) - missing


def test_an_engine_for_four_is_told_in_one_line_that_it_cannot_be_asked() -> None:
    report = report_on(kind(players=(4,)))
    assert set(by_verdict(report)) == {Verdict.UNSUPPORTED, Verdict.NOT_APPLICABLE}
    assert report.levels == ()
    assert report.exit_code == 1
    assert report.notes[0].startswith("talon is for 3 players, the engine for 4 ")


def test_scenarios_of_one_number_of_seats_do_not_apply_with_another() -> None:
    corpus = load_corpus()
    three = [one for one in corpus.scenarios if one.under.get("ruleset") == "talon"]
    four = [one for one in corpus.scenarios if not one.under]
    for items, ruleset in ((three, "pagat"), (four, "talon")):
        for item in items[::10]:
            with pytest.raises(Unplayable):
                prepare(item, rules_of(ruleset))


# --------------------------------------------------------------------------- positions

LED = PositionCase("play", "t", (), "gang", "H", "N", (("N", "KD"),), "E", ("AD", "QD"), ("AD",))
WHOLE = PositionCase(
    "play", "t", (), "normal", "H", "N", (("N", "KD"), ("E", "AD"), ("S", "QH")), winner="S"
)


def test_a_position_is_put_into_a_deal_with_the_talon_left_where_it_lies() -> None:
    prepared = prepare(LED, RULES)
    record = prepared.deals[0]
    assert record["actions"] == [["N", "keep"], ["N", "play KD"]]
    dealt = [*record["talon"], *(card for hand in record["hands"].values() for card in hand)]
    assert len(set(dealt)) == 20
    assert {len(hand) for hand in record["hands"].values()} == {6}
    assert prepared.expected[0][2]["to_act"] == "E"
    assert [statement.view for statement in prepared.statements] == [2, 2]


def test_a_hand_of_six_is_no_position_of_four_players() -> None:
    six = replace(LED, hand=("AD", "QD", "AS", "TS", "KS", "QS"))
    assert prepare(six, RULES).expected
    with pytest.raises(Unplayable, match="more cards"):
        prepare(six, rules_of("pagat"))


@pytest.mark.parametrize(
    ("case", "ruleset", "sits"),
    [
        (WHOLE, "talon", True),
        (WHOLE, "pagat", False),  # the trick is not complete
        (LED, "talon", True),
        (LED, "pagat", True),
        (replace(LED, trick=(("S", "KD"), ("N", "TD"))), "talon", True),
        (replace(LED, trick=(("S", "KD"), ("N", "TD"))), "pagat", False),  # West is missing
        (replace(LED, seat="W"), "talon", False),
        (replace(LED, declarer="W"), "talon", False),
        (replace(WHOLE, trick=WHOLE.trick[:2], winner="E"), "talon", False),
    ],
)
def test_a_query_has_the_seats_of_its_table(case: PositionCase, ruleset: str, sits: bool) -> None:
    wrong = Query.of(case, rules_of(ruleset)).untrue(rules_of(ruleset))
    assert (wrong != "another number of seats") is sits


def test_a_seat_is_passed_over_only_where_it_sits_out() -> None:
    # East leads, South follows, and North is asked: West has not played.
    skipped = replace(
        LED, declarer="E", trick=(("E", "KD"), ("S", "TD")), seat="N", hand=("AD",), legal=("AD",)
    )
    for contract, wrong in (("gang", "another number of seats"), ("bettler", None)):
        case = replace(skipped, contract=contract)
        assert Query.of(case, rules_of("pagat")).untrue(rules_of("pagat")) == wrong


def test_who_sits_out_is_not_asked() -> None:
    partner = replace(LED, declarer="N", trick=(("N", "KD"), ("E", "TD")), seat="S")
    partner = replace(partner, hand=("AD",), legal=("AD",))
    for contract, wrong in (("bettler", "another number of seats"), ("gang", None)):
        case = replace(partner, contract=contract)
        assert Query.of(case, rules_of("pagat")).untrue(rules_of("pagat")) == wrong


def test_nobody_is_asked_about_more_cards_than_he_can_hold() -> None:
    six = ("AH", "TH", "KH", "AC", "AD", "AS")
    leads = replace(LED, trick=(), seat="N", hand=six, legal=six)
    query = Query.of(leads, rules_of("talon"))
    assert query.untrue(rules_of("talon")) is None
    assert query.untrue(rules_of("pagat")) == "nobody holds more than 5 cards"


# --------------------------------------------------------------------------- turning, comparing


@pytest.mark.parametrize("places", [0, 1, 2])
def test_three_seats_and_the_suits_are_turned_there_and_back(places: int) -> None:
    turning = turn(places, seats=3, partners=False, suits="SCDH")
    record = {**DEAL, "actions": [["E", "talon"], ["E", "discard AC JC"], ["E", "play AD"]]}
    turned = turning.deals([record])[0]
    assert list(turned["hands"]) == ["N", "E", "S"]
    assert turned["talon"] == ["AH", "TH"]
    seat = "NES"[(1 + places) % 3]
    assert turned["actions"][1] == [seat, "discard AH JH"]
    plain, asked = (
        ReferenceAdapter("talon").handle({"op": "replay", "deals": [deal]})["ok"][0]
        for deal in (record, turned)
    )
    back = [turning.back().view(view) for view in asked]
    assert [compare(want, got, 0, 0) for want, got in zip(plain, back, strict=True)] == [[]] * 4
    assert asked[2]["sees"] == {seat: {"talon": ["AH", "JH"]}}


def test_two_cards_laid_away_are_the_same_in_either_order() -> None:
    view = {"legal": {"E": ["discard AC JC", "kontra"]}}
    other = {"phase": "talon", "legal": {"E": ["kontra", "discard JC AC"]}}
    assert compare({**view, "phase": "talon"}, other, 0, 0) == []
    assert not same({**view, "phase": "talon"}, {"phase": "talon", "legal": {"E": ["kontra"]}})
    for kind_, value, true in (
        ("legal", ("discard AC JC", "kontra"), True),
        ("legal", ("discard AC TC", "kontra"), False),
        ("can", "discard AC JC", True),
        ("cannot", "discard AC JC", False),
        ("cannot", "discard AC TC", True),
    ):
        statement = Statement(0, 0, kind_, ("E",), value)  # type: ignore[arg-type]
        assert (check_statement(statement, other) is None) is true


def test_the_hand_drawn_in_a_report_has_the_cards_of_the_talon() -> None:
    record = {**DEAL, "actions": [["E", "talon"], ["E", "discard AC JC"], ["E", "play AD"]]}
    views = ReferenceAdapter("talon").handle({"op": "replay", "deals": [record]})["ok"][0]
    assert hand_before(record, views, "E", 1) == [*HANDS["E"], "AC", "TC"]
    assert hand_before(record, views, "E", 3) == ["JH", "TD", "KS", "QS", "TC"]
    assert hand_before(record, views, "N", 3) == HANDS["N"]


# --------------------------------------------------------------------------- house rules


class Otherwise(ReferenceAdapter):
    """Plays the three-hand game by other rules than it is sent."""

    def __init__(self, **changes: Any) -> None:
        super().__init__("talon")
        self._other = compile_rules(vary(TALON, changes))

    def _rules_for(self, message: Any) -> Any:  # noqa: ARG002
        return self._other


@pytest.mark.slow
@pytest.mark.parametrize(
    ("path", "changes"),
    [
        ("options.no_talon_bonus", {"options": {"no_talon_bonus": 1}}),
        ("contracts.bettler.talon", {"contracts": {"bettler": {"talon": "none"}}}),
    ],
)
def test_failures_that_look_like_another_house_rule(path: str, changes: dict[str, Any]) -> None:
    report = report_on(Otherwise(**changes))
    hints = find_hints(report)
    assert [hint.path for hint in hints] == [path]
    assert hints[0].vanished == hints[0].failures > 0
    assert not any("identify" in line for line in hint_lines(report, "x"))


@pytest.mark.slow
def test_rulesets_with_a_talon_are_compared_with_a_deal_for_each_difference() -> None:
    options = {"talon_raise": "allowed", "no_talon_bonus": 1, "losers": "all_below_target"}
    other = vary(TALON, {"options": options, "contracts": {"normal": {"talon": "none"}}})
    found = compare_rulesets(TALON, other)
    names = {"contracts.normal.talon", *(f"options.{name}" for name in options)}
    assert {each.name for each in found.fields} == names
    for each in found.fields:
        assert each.witness is not None, each.name
        assert "talon" in each.witness.line.record()


def test_rulesets_for_different_tables_are_not_compared(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["diff", "pagat", "talon"]) == 2
    assert "different numbers of players" in capsys.readouterr().err


def test_identify_refuses_tables_of_three(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["identify", "--base", "talon", "--", "true"]) == 2
    assert "tables of four" in capsys.readouterr().err


# --------------------------------------------------------------------------- commands


def test_a_rule_of_the_talon_is_explained_where_it_says_something(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["explain", "talon.both"]) == 0
    said = capsys.readouterr().out
    assert "Says nothing under pagat, but under talon:" in said
    assert "eight" in said


def test_a_scenario_is_shown_with_its_talon(capsys: pytest.CaptureFixture[str]) -> None:
    name = next(one.id for one in suite().scenarios if one.deals[0].talon)
    assert main(["show", name]) == 0
    assert "   talon" in capsys.readouterr().out
    assert main(["show", name, "--wire", "--turned", "2"]) == 0
    line = capsys.readouterr().out.splitlines()[-1]
    assert len(json.loads(line)["deals"][0]["talon"]) == 2


@pytest.mark.parametrize("extra", [[], ["--contract", "gang", "--by", "E"]])
def test_a_scaffold_of_a_scenario_for_three(extra: list[str], tmp_path: Path) -> None:
    target = tmp_path / "new.yaml"
    words = ["new", "scenario", "talon.no-such-thing", "--rule", "talon.both"]
    assert main([*words, "--ruleset", "talon", "--file", str(target), *extra]) == 0
    text = target.read_text(encoding="utf-8")
    assert "under: {ruleset: talon}" in text
    assert "talon: " in text


def test_a_scaffold_asks_for_what_a_table_of_three_has(
    capsys: pytest.CaptureFixture[str],
) -> None:
    words = ["new", "scenario", "talon.no-such-thing", "--rule", "talon.both", "--ruleset"]
    for more, told in (
        (["talon", "--contract", "gang", "--by", "W"], "nobody sits at W"),
        (["talon", "--deal", "7"], "four hands"),
        (["talons"], "did you mean 'talon'"),
    ):
        assert main([*words, *more]) == 2
        assert told in capsys.readouterr().err


# --------------------------------------------------------------------------- perft, mutants


def test_lines_are_counted_after_the_talon_has_been_dealt_with() -> None:
    case = PerftCase(
        "perft.x", "talon", DEAL, (("E", "talon"), ("E", "discard AC JC")), (6,), Origin("x", 1)
    )
    expected = count_lines(case.position(), 4)
    assert expected[0] == 6
    session = PythonEngine(ReferenceAdapter("talon"), rules=TALON)
    session.start()
    plies = lines_of_engine(case, session, 4)  # type: ignore[arg-type]
    assert [sum(ply.values()) for ply in plies] == expected


@pytest.mark.parametrize(
    ("before", "talon", "told"),
    [
        ("", "AC TC", "no card can be led yet"),
        ("before: [N keep]", "AC TC", "talon.declarer"),
        ("before: [E keep]", "AC AC", "dealt twice"),
        ("before: [E keep]", "AC", "cannot be played"),
    ],
)
def test_a_perft_table_that_leads_to_no_card_is_an_error(
    before: str, talon: str, told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hands = ", ".join(f"{seat}: {' '.join(cards)}" for seat, cards in HANDS.items())
    (tmp_path / "perft").mkdir()
    (tmp_path / "perft" / "x.yaml").write_text(
        "topic: Some lines\nperft:\n  - id: perft.x.1\n    ruleset: talon\n"
        f"    deal: {{{hands}, talon: {talon}}}\n"
        "    contract: {name: gang, by: E, trump: H}\n"
        f"    lines: [6]\n    {before}\n",
        encoding="utf-8",
    )
    monkeypatch.setattr("bauernschnapsen_conformance.corpus.perft.spec_root", lambda: tmp_path)
    with pytest.raises(Exception, match=told):
        load_perft()


def test_a_rule_that_four_players_have_not_is_witnessed_by_three() -> None:
    silent = silent_rules()
    assert {"talon.both", "talon.declarer"} <= silent
    assert "play.beat" not in silent
    bench = Bench(load_corpus().scenarios)
    assert bench.citing("talon.both")
    assert all(not item.under for item in bench.citing("play.beat"))
    assert {item.under["ruleset"] for item in bench.home_of("talon")} == {"talon"}
