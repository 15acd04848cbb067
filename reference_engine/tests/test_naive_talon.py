"""The engine against the second opinion on deals of three players with a talon."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest
from naive_perft import count_lines
from naive_talon import VOCABULARY, do, may
from naive_talon_table import CLOCKWISE, NAMES, Deal
from talon_deals import TABLES, options_of, random_deal

from bauernschnapsen.data.locate import spec_root
from bauernschnapsen.data.yaml_loader import load_yaml
from bauernschnapsen.replay import replay
from bauernschnapsen.ruleset import Rules, compile_rules, load_ruleset, vary

IN_SHORT = 80
IN_FULL = 3000
PLAINLY_EQUAL = (
    *("to_act", "bid", "outcome", "points", "tricks", "scores", "game", "next_dealer"),
)
RULES = {
    agreed: compile_rules(vary(load_ruleset("talon"), {"options": options_of(agreed)}))
    for agreed in TABLES
}


def agree(record: dict[str, Any], answers: list[Any], rules: Rules) -> list[dict[str, Any]]:
    """Compare what both say before and after each action; return the views of the engine."""
    views = replay(rules, [record])[0]
    assert len(views) == len(answers)
    for place, (view, answer) in enumerate(zip(views, answers, strict=True)):
        where = (record, place)
        legal = {seat: set(actions) for seat, actions in view["legal"].items()}
        assert legal == answer["legal"], where
        sees = {
            viewer: {owner: set(cards) for owner, cards in known.items()}
            for viewer, known in view["sees"].items()
        }
        assert sees == answer["sees"], where
        assert ("refused" in view) == answer["refused"], where
        for key in PLAINLY_EQUAL:
            assert view[key] == answer[key], (key, where)
    return views


def judge_alike(number: int, seed: str) -> Counter[str]:
    """Compare so many random deals; return how often what was met."""
    met: Counter[str] = Counter()
    for place in range(number):
        chance = Random(f"{seed} {place}")
        agreed = chance.choice(TABLES)
        record, answers = random_deal(chance, agreed)
        views = agree(record, answers, RULES[agreed])
        met.update(view["refused"] for view in views if "refused" in view)
        accepted = [
            w
            for (_, w), v in zip(record["actions"], views[1:], strict=True)
            if not v.get("refused")
        ]
        met.update(words.partition(" ")[0] for words in accepted)
        end = views[-1]
        met[f"{end['contract']['name']} {end['outcome']['reason']}"] += 1
        met[f"winners {len(end['game']['winners'])}" if end["game"] else "no game"] += 1
        met[f"factor {end['outcome']['factor']}"] += 1
    return met


@pytest.mark.slow
def test_random_deals_are_judged_alike() -> None:
    met = judge_alike(IN_SHORT, "in short")
    assert {"talon", "keep", "discard", "raise", "bid-without-talon", "marry", "kontra"} <= set(met)


@pytest.mark.gates
def test_many_random_deals_are_judged_alike() -> None:
    met = judge_alike(IN_FULL, "in full")
    endings = {f"{name} {end}" for name in NAMES for end in ("made", "failed") if name != "normal"}
    endings |= {f"normal {reason}" for reason in ("claim", "false_claim", "last_trick")}
    verbs = {words.partition(" ")[0] for words in VOCABULARY}
    ends = {"winners 1", "winners 2", "no game", "factor 1", "factor 2", "factor 4", "factor 8"}
    reasons = {
        *("talon.when", "talon.declarer", "talon.take-first", "talon.discard-due"),
        *("talon.own-cards", "talon.raise", "talon.raise-higher", "talon.without"),
    }
    assert (endings | verbs | ends | reasons) - set(met) == set()


# --------------------------------------------------------------------------- counted lines


def perft_cases() -> list[dict[str, Any]]:
    cases: list[dict[str, Any]] = load_yaml(spec_root() / "perft" / "talon.yaml").value["perft"]
    return cases


def counted(case: dict[str, Any]) -> list[int]:
    """Count the lines of a perft case by the second opinion alone."""
    start = case["contract"]
    record = {
        "dealer": case["deal"]["dealer"],
        "hands": {seat: case["deal"][seat].split() for seat in CLOCKWISE},
        "talon": case["deal"]["talon"].split(),
        "scores": dict.fromkeys(CLOCKWISE, 0),
        "contract": {"name": start["name"], "declarer": start["by"], "trump": start["trump"]},
    }
    deal = Deal(record, frozenset())
    for seat, _, words in (action.partition(" ") for action in case["before"]):
        assert may(deal, seat, words)
        do(deal, seat, words)
    return count_lines(deal)


@pytest.mark.slow
@pytest.mark.parametrize("case", perft_cases(), ids=lambda case: case["id"])
def test_lines_of_play_are_counted_alike(case: dict[str, Any]) -> None:
    """What `bauernschnapsen perft` asks of an engine was not counted by the engine."""
    assert counted(case) == case["lines"]
