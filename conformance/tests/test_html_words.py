"""The HTML report tells rules, actions and values in words."""

from __future__ import annotations

import re
from typing import Any

import pytest

from bauernschnapsen.ruleset import load_ruleset, vary
from bauernschnapsen_conformance.corpus.rules import load_rules
from bauernschnapsen_conformance.corpus.wording import contract_name, fill_in, glossary, rule_text
from bauernschnapsen_conformance.report import html_words as say
from bauernschnapsen_conformance.views import Difference

# --------------------------------------------------------------------------- words


TALON_AGREEMENTS: dict[str, Any] = {
    "options": {"talon_raise": "allowed", "no_talon_bonus": 1, "no_talon_precedence": "present"},
    "contracts": {"farben-gang": {"held_at": "after_talon"}},
}


def test_every_rule_can_be_told_under_every_value_of_its_field() -> None:
    rulesets = [load_ruleset(name) for name in ("pagat", "talon", "talon_carinthia")]
    rulesets.append(vary(rulesets[1], TALON_AGREEMENTS))
    for rule in load_rules().values():
        assert rule.chapter == "talon" or rule_text(rule, rulesets[0]), rule.id
        for language in ("en", "de"):
            told = [text for one in rulesets if (text := rule_text(rule, one, language))]
            assert told, (rule.id, language)
            assert not [text for text in told if re.search(r"\{[a-z]", text)], (rule.id, told)


def test_a_text_follows_the_ruleset() -> None:
    pagat = load_ruleset("pagat")
    rules = load_rules()
    opening = rules["auction.must-open"]
    other = vary(pagat, {"options": {"opening": "pass_means_normal"}})
    assert rule_text(opening, pagat) == "At his first turn forehand has to bid and may not pass."
    assert rule_text(opening, other).startswith("At his first turn forehand may pass")
    assert fill_in("{contracts.bettler.value}", pagat) == "4"
    assert fill_in("{contracts.bettler.bidders}", pagat, "de") == "jeder Spieler"
    assert fill_in("{contracts.nothing.value}", pagat) == "{contracts.nothing.value}"
    assert contract_name("gang") == "Gang"
    assert contract_name("unheard-of") == "unheard-of"


@pytest.mark.parametrize("text", glossary()["actions"])
def test_every_action_is_a_sentence(text: str) -> None:
    full = {
        "trump": "trump H", "turn-up": "turn-up 1", "bid": "bid gang", "raise": "raise gang",
        "play": "play KH", "marry": "marry KH", "discard": "discard AH TH",
    }.get(text, text)  # fmt: skip
    assert not say.action(full).startswith("<code>"), full


@pytest.mark.parametrize(
    ("path", "value", "shown"),
    [
        (("to_act",), "W", "West"),
        (("to_act",), None, "none"),
        (("contract", "name"), "gang", "Gang"),
        (("outcome", "awards"), {"NS": 0, "EW": 9}, "North and South: 0; East and West: 9"),
        (("outcome", "reason"), "<b>", "&lt;b&gt;"),
        (("refused",), None, "accepted"),
        (("refused",), True, "refused"),
        (("refused",), "play.beat", "refused, <code>play.beat</code>"),
        (("game", "winners"), ["EW"], "East and West"),
        (("legal", "W"), [], "nothing"),
        (("points", "NS"), 12, "12"),
        (("points", "NS"), True, "true"),
        (("points", "NS"), "\x1b[31m", "\N{REPLACEMENT CHARACTER}[31m"),
    ],
)
def test_values_are_told_in_words(path: tuple[str, ...], value: Any, shown: str) -> None:
    assert say.value(Difference(0, 0, path, None, value, True), value) == shown


def test_values_of_any_depth_and_length_are_bounded() -> None:
    deep: Any = "x"
    for _ in range(200):
        deep = [deep, {"a": deep}] if not isinstance(deep, list) or len(str(deep)) < 500 else [deep]
    for value in (deep, ["play KH"] * 10_000, "x" * 100_000, {str(n): n for n in range(9999)}):
        for path in (("legal", "W"), ("points",), ("refused",)):
            assert len(say.value(Difference(0, 0, path, None, value, True), value)) < 60_000
