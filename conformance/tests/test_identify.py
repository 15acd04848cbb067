"""`identify` writes down an engine's house rules: as a file that loads, with rules and doubts."""

from __future__ import annotations

import json
import random
import sys
from pathlib import Path
from typing import Any

import pytest
from identifying import HOUSE, PAGAT, identified

from bauernschnapsen.ruleset import Resolved, load_ruleset, vary
from bauernschnapsen_conformance.commands import main
from bauernschnapsen_conformance.comparing import any_difference
from bauernschnapsen_conformance.corpus.rules import load_rules
from bauernschnapsen_conformance.identify import ruleids
from bauernschnapsen_conformance.identify.alike import (
    canonical,
    differing,
    moved,
    same_form,
    simplest,
    value_in_file,
)
from bauernschnapsen_conformance.identify.changes import Changes
from bauernschnapsen_conformance.identify.explaining import by_kind
from bauernschnapsen_conformance.identify.fields import candidates, changed, fields_of, played
from bauernschnapsen_conformance.identify.known import suspicion
from bauernschnapsen_conformance.identify.pools import Pools
from bauernschnapsen_conformance.identify.profiles import random_profile
from bauernschnapsen_conformance.identify.result import NO_AUCTION
from bauernschnapsen_conformance.identify.ruleset_file import as_file, is_sensible
from bauernschnapsen_conformance.identify.seen import Miss, Seen
from bauernschnapsen_conformance.identify.served import fixed_engine
from bauernschnapsen_conformance.views import Difference

# --------------------------------------------------------------------------- the file


@pytest.mark.parametrize("seed", range(12))
def test_a_file_says_what_differs_and_loads(seed: int, tmp_path: Path) -> None:
    profile = random_profile(f"file {seed}")
    path = tmp_path / "found.yaml"
    path.write_text(as_file(profile, PAGAT, "found", "Somebody's engine 1.0"), encoding="utf-8")
    assert same_form(load_ruleset(path), profile)


def test_a_contract_that_moves_is_the_only_one_that_is_moved() -> None:
    up = changed(PAGAT, ("contracts", "bettler", "above"), "farben-gang")
    assert moved(PAGAT, up) == ["bettler"]
    down = changed(PAGAT, ("contracts", "herren-schnapser", "above"), "normal")
    assert moved(PAGAT, down) == ["herren-schnapser"]
    text = as_file(down, PAGAT, "found", "engine")
    assert "  herren-schnapser: {above: normal}\n" in text
    assert text.count("above") == 1


def test_a_contract_stands_above_one_that_is_played(tmp_path: Path) -> None:
    """What is not played may stand elsewhere in the ruleset that is extended."""
    odd = changed(PAGAT, ("contracts", "as-bettler", "above"), "herren-schnapser")
    odd = changed(odd, ("contracts", "gang", "above"), "as-bettler")
    path = tmp_path / "found.yaml"
    path.write_text(as_file(odd, PAGAT, "found", "engine"), encoding="utf-8")
    assert played(load_ruleset(path)) == played(odd)


def test_a_ruleset_without_an_opening_is_not_believed() -> None:
    nobody = changed(PAGAT, ("contracts", "normal", "played"), False)
    nobody = changed(nobody, ("contracts", "bettler", "bidders"), "opponents")
    for name in ("schnapser", "gang", "zehner-gang", "bauern-schnapser"):
        nobody = changed(nobody, ("contracts", name, "bidders"), "opponents")
    assert not is_sensible(nobody)
    assert is_sensible(PAGAT)


@pytest.mark.slow
def test_the_command_writes_a_ruleset_that_certifies(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Over a pipe, as people use it; the file extends pagat and says only what differs."""
    house = tmp_path / "house.yaml"
    house.write_text(
        "ruleset: house\nextends: pagat\n"
        "contracts: {bettler: {value: 5, partner: plays}, zehner-gang: {played: false}}\n"
        "options: {claim_by: side, loser_33: tricks_only, equal_bids: never}\n"
    )
    out = tmp_path / "found.yaml"
    serve = [sys.executable, "-m", "bauernschnapsen_conformance", "serve", "--fixed"]
    serve += ["--ruleset", str(house)]
    code = main(["identify", "--json", "-o", str(out), "--name", "found", "--", *serve])
    data = json.loads(capsys.readouterr().out)
    assert code == 0
    assert data["bugs"] == []
    assert data["troubles"] == []
    assert same_form(load_ruleset(out), load_ruleset(house))
    text = out.read_text()
    assert "extends: pagat" in text
    assert "value: 5" in text
    assert "schnapser" not in text
    fields = {each["field"]: each for each in data["values"]}
    assert set(fields) == {
        "contracts.bettler.value",
        "contracts.bettler.partner",
        "contracts.zehner-gang.played",
        "options.claim_by",
        "options.loser_33",
        "options.equal_bids",
    }
    assert all(each["witness"] and each["rule"] in load_rules() for each in fields.values())
    assert fields["contracts.bettler.value"]["sources"] == ["U7", "A28", "PAGAT", "AP"]
    assert fields["contracts.bettler.value"]["sureness"] == "sure"
    assert any("options.score_direction" in some for some in data["not_observed"].values())
    assert main(["certify", "--ruleset", str(out), "--", *serve]) == 0


@pytest.mark.parametrize("name", ["no name", "Found", "1st", ""])
def test_a_name_that_no_ruleset_can_have_is_refused(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["identify", "--name", name, "--", "true"]) == 2
    assert "--name" in capsys.readouterr().err


# --------------------------------------------------------------------------- playing alike


def test_fields_without_effect_do_not_count() -> None:
    ruffing = vary(PAGAT, {"contracts": {"gang": {"undertrump": "free"}}})
    assert same_form(ruffing, PAGAT)
    assert not same_form(vary(PAGAT, HOUSE), PAGAT)
    assert canonical(ruffing) == canonical(PAGAT)


def test_values_that_play_alike_have_one_form() -> None:
    """Whoever leads after the first trick has won one; forehand never holds five plain cards."""
    own = vary(PAGAT, {"options": {"marriage_needs": "own_trick"}})
    side = vary(PAGAT, {"options": {"marriage_needs": "side_trick"}})
    assert same_form(own, side)
    plain = vary(PAGAT, {"contracts": {"bettler": {"hold": "five_of_plain_suit"}}})
    others = {"hold": "five_of_a_suit", "bidders": "not_forehand"}
    assert same_form(plain, vary(PAGAT, {"contracts": {"bettler": others}}))


def test_the_order_of_openings_says_nothing() -> None:
    """What only forehand bids, and only to open with, is never bid over one another."""
    forehand = {"contracts": {"schnapser": {"bidders": "forehand"}}}
    first = vary(PAGAT, forehand)
    swapped = changed(first, ("contracts", "normal", "above"), "schnapser")
    assert played(swapped)[:3] == ["bettler", "schnapser", "normal"]
    lower = changed(swapped, ("contracts", "bettler", "above"), "normal")
    assert same_form(lower, changed(first, ("contracts", "bettler", "above"), "schnapser"))
    as_normal = vary(lower, {"options": {"opening": "pass_means_normal"}})
    usual = changed(as_normal, ("contracts", "schnapser", "above"), "normal")
    assert not same_form(as_normal, usual)


def test_of_rulesets_that_play_alike_the_simplest_is_told() -> None:
    odd = vary(
        PAGAT,
        {"contracts": {"bettler": {"hold": "five_of_a_suit", "bidders": "not_forehand"}}},
    )
    base = vary(PAGAT, {"contracts": {"bettler": {"hold": "five_of_plain_suit"}}})
    assert differing(simplest(odd, base), base) == []
    openings = vary(PAGAT, {"contracts": {"schnapser": {"bidders": "forehand", "above": "normal"}}})
    swapped = changed(openings, ("contracts", "normal", "above"), "schnapser")
    swapped = changed(swapped, ("contracts", "schnapser", "bidders"), "forehand_side")
    assert differing(simplest(swapped, openings), openings) == []


@pytest.mark.slow
def test_rulesets_of_one_form_are_never_told_apart() -> None:
    """A few fields of random profiles are changed; where the form stays, no deal differs."""
    compared = 0
    for seed in range(24):
        source = random.Random(f"form {seed}")
        one = random_profile(f"form {seed}")
        for _ in range(8):
            other = _with_some_changes(source, one)
            if other != one and is_sensible(other) and same_form(one, other):
                assert any_difference(Pools(one), Pools(other), 24) is None, f"form {seed}"
                compared += 1
                break
    assert compared >= 5


_MERGED = (
    "above", "bidders", "hold", "goal", "won_by", "marriages", "ends_early", "tricks", "lead",
    "marriage_needs", "last_trick_award", "equal_values",
)  # fmt: skip


def _with_some_changes(source: random.Random, ruleset: Resolved) -> Resolved:
    paths = [path for path in fields_of(ruleset) if path[-1] in _MERGED]
    for path in source.sample(paths, source.randint(1, 2)):
        values = candidates(ruleset, path)
        if values:
            ruleset = changed(ruleset, path, source.choice(values))
    return ruleset


def test_random_profiles_are_sensible_and_repeatable() -> None:
    for seed in range(12):
        profile = random_profile(seed)
        assert profile == random_profile(seed)
        assert not same_form(profile, PAGAT)
        assert profile["options"]["seats"] == 4


# --------------------------------------------------------------------------- rules and doubts


def test_every_field_is_about_a_rule_that_exists() -> None:
    """Regional contracts have no rule of their own, but that of the contract they are like."""
    rules = load_rules()
    everything = vary(PAGAT, {"all_contracts": {"played": True}})
    for path in fields_of(everything):
        assert ruleids.rule_of(path, everything) in rules, path
    assert ruleids.rule_of(("contracts", "gang", "value"), PAGAT) == "contracts.gang"
    assert ruleids.rule_of(("contracts", "plauderer", "value"), everything) == "contracts.bettler"
    bidders = ("contracts", "bauernloch", "bidders")
    assert ruleids.rule_of(bidders, everything) == "contracts.bauern-schnapser.bidders"


def test_a_bug_is_about_the_rule_that_decides_what_differs() -> None:
    """The points of cards, not the trick they are counted in; a scenario says it more exactly."""
    assert ruleids.ANY in load_rules()
    belief = Pools(PAGAT)
    (made,) = belief.lines("gang", 1)
    seen = Seen([made.line.record()], made.line)
    view = next(number for number, one in enumerate(made.sketches) if one[7] != (0, 0))

    def rule(*path: str, got: Any, rules: tuple[str, ...] = ()) -> str:
        seen.rules = rules
        difference = Difference(0, view, path, "what is right", got, stated=False)
        return ruleids.broken_rule(seen, Miss(0, view, 0.5, [difference]), belief.rules)

    assert rule("points", got={}) == "play.trick-points"
    assert rule("points", got={}, rules=("cards.points",)) == "cards.points"
    assert rule("next_dealer", got="N") == "deal.next-dealer"
    assert rule("next_dealer", got="N", rules=("play.turn", "deal.shuffle")) == "deal.shuffle"
    assert rule("view", got=None) == "notation.action"
    assert ruleids.broken_rule(seen, Miss(0, 0, 0.0), belief.rules) == ruleids.ANY


def test_each_bid_that_is_offered_otherwise_is_looked_into_by_itself() -> None:
    """So a fault in one of them does not crowd out the house rules about another."""
    (made,) = Pools(PAGAT).lines("", 1)
    bids = ["bid bettler", "bid gang", "pass"]

    def missed(*got: str) -> tuple[Seen, Miss]:
        difference = Difference(0, 1, ("legal", "E"), bids, list(got), stated=False)
        return Seen([made.line.record()], made.line), Miss(0, 1, 0.5, [difference])

    no_gang, no_bettler = missed("bid bettler", "pass"), missed("bid gang", "pass")
    neither, plauderer = missed("pass"), missed(*bids, "bid plauderer")
    kinds = by_kind([no_gang, no_bettler, neither, plauderer, no_gang])
    assert kinds == {
        (None, "legal", "bid gang"): [no_gang, no_gang],
        (None, "legal", "bid bettler"): [no_bettler],
        (None, "legal", ""): [neither],
        (None, "legal", "bid plauderer"): [plauderer],
    }
    played_path, place = ("contracts", "plauderer", "played"), ("contracts", "plauderer", "above")
    bidders = ("contracts", "plauderer", "bidders")
    anywhere = {
        ((played_path, True), (place, name), *by)
        for name in ("none", *played(PAGAT))
        for by in ((), ((bidders, "opponents"),))
    }
    assert anywhere <= {*Changes(PAGAT).of([plauderer])}
    assert not anywhere & {*Changes(PAGAT).of([no_gang])}


@pytest.mark.parametrize(
    ("path", "value", "doubtful"),
    [
        (("contracts", "gang", "head_target"), "led_card", True),
        (("contracts", "normal", "follow"), "free", True),
        (("contracts", "bettler", "ranks"), "KQJAT", True),
        (("contracts", "bettler", "value"), 3, True),
        (("contracts", "bettler", "value"), 5, False),
        (("options", "claim_by"), "side", False),
        (("options", "target"), 21, False),
    ],
)
def test_a_value_that_no_source_has_is_probably_a_bug(
    path: tuple[str, ...], value: Any, doubtful: bool
) -> None:
    found = changed(PAGAT, path, value)
    assert value_in_file(found, path) == value
    assert bool(suspicion(found, PAGAT, path)) is doubtful


@pytest.mark.slow
def test_a_regional_contract_is_found_with_rule_and_doubt() -> None:
    """Plauderer for 6, which nobody plays, from an engine that only starts after the auction."""
    profile = vary(PAGAT, {"contracts": {"plauderer": {"played": True, "value": 6}}})
    found = identified(fixed_engine(profile, starts=["contract"]))
    values = {value.name: value for value in found.values}
    assert values["contracts.plauderer.value"].suspicion == "no source plays it so"
    assert values["contracts.plauderer.value"].rule == "contracts.bettler"
    assert not found.bugs
    assert found.result.unseen["options", "equal_bids"] == NO_AUCTION
    assert ("options", "claim_by") in found.result.observed
