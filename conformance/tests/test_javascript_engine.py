"""The engine in plain JavaScript as an adapter: protocol, switches, faults, and the reference."""

from __future__ import annotations

import json
import random
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
from javascript_adapter import (
    CARDS,
    E1,
    E2,
    E3,
    E4,
    E5,
    E7,
    E20,
    E24,
    E24_TRICKS,
    E32,
    E36,
    E36_TRICKS,
    FIRST_27,
    HERE,
    NODE,
    SEATS,
    Engine,
    View,
    awards,
    comparable,
    deal,
    plays,
    reasons,
    resolved,
)
from javascript_adapter import engine as engine  # noqa: PLC0414 - a fixture

from bauernschnapsen.replay import replay
from bauernschnapsen.ruleset import compile_rules, load_ruleset

CONTRACTS = ("schnapser", "kontra-schnapser", "gang", "bettler", "zehner-gang")


pytestmark = pytest.mark.skipif(NODE is None, reason="node is not installed on this machine")


@pytest.fixture
def engine_with(request: pytest.FixtureRequest) -> Any:
    def start(*switches: str) -> Engine:
        one = Engine(*switches)
        request.addfinalizer(one.close)
        return one

    return start


# ------------------------------------------------------------------ the handshake and the protocol


def test_handshake(engine: Engine) -> None:
    hello = engine.hello()
    assert hello["protocol"] == 1
    assert hello["window"] == 16
    assert hello["engine"]["language"] == "JavaScript"
    assert hello["capabilities"] == {
        "players": [4, 3],
        "legal_plays": True,
        "trick_winner": True,
        "starts": ["deal", "contract"],
        "match": True,
        "claims": "called",
        "enforces": True,
        "reasons": True,
        "configurable": True,
    }


def test_protocol_manners(engine_with: Any) -> None:
    engine = engine_with()
    assert "error" in engine.ask("hello", protocol={"min": 2, "max": 3})
    assert engine.ask("replay", deals=[])["error"]["message"] == "send rules first"
    assert "unsupported" in engine.ask("dance")
    # No reply is due to what has no readable id; the next reply belongs to the next request.
    for noise in ("", "nonsense", "[1]", "null", '{"op":"hello"}', '{"id":-1}', '{"id":"1"}'):
        engine.line(noise)
    assert engine.hello()["protocol"] == 1
    broken = engine.ask("rules", key="x", rules={"contracts": {}, "options": {"seats": 4}})
    assert "lacks options.sides" in broken["error"]["message"]
    five = engine.ask("rules", key="x", rules={"contracts": {}, "options": {"seats": 5}})
    assert five == {"unsupported": "rules for 5 players"}


def test_bad_deals_are_errors(engine: Engine) -> None:
    good = deal(E20)
    twice = {**good["hands"], "N": ["KH", "QH", "AS", "JD", "JD"]}
    few = {**good["hands"], "N": ["KH", "QH", "AS", "JD"]}
    for bad in ({"hands": twice}, {"hands": few}, {"dealer": "X"}, {"scores": {"NS": 0}}):
        reply = engine.ask("replay", rules=engine.rules(), deals=[{**good, **bad}])
        assert set(reply) == {"error"}, bad
    unknown = {**good, "contract": {"name": "no-such", "declarer": "N", "trump": "H"}}
    assert "unsupported" in engine.ask("replay", rules=engine.rules(), deals=[unknown])
    assert "error" in engine.ask("replay", rules="never sent", deals=[good])


@pytest.mark.slow
def test_switches(engine_with: Any, tmp_path: Path) -> None:
    record = deal(E20, "E trump H, N enough", scores={"NS": 0, "EW": 0})
    assert [view.get("refused") for view in engine_with("--no-reasons").play(record)] == [
        None,
        True,
        True,
    ]
    only = engine_with("--starts", "contract")
    assert only.hello()["capabilities"]["starts"] == ["contract"]
    assert "unsupported" in only.ask("replay", rules=only.rules(), deals=[record])
    only = engine_with("--starts", "deal")
    started = deal(E20, contract="normal N H")
    assert "unsupported" in only.ask("replay", rules=only.rules(), deals=[started])
    file = tmp_path / "rules.json"
    file.write_text(json.dumps(resolved("{}")), encoding="utf-8")
    fixed = engine_with("--not-configurable", str(file))
    assert fixed.hello()["capabilities"]["configurable"] is False
    assert "unsupported" in fixed.ask("rules", key="r", rules=resolved("{}"))
    assert len(fixed.ask("replay", deals=[record])["ok"][0]) == 3
    ready = engine_with("--rules", str(file))
    assert ready.hello()["capabilities"]["configurable"] is True
    assert len(ready.ask("replay", deals=[record])["ok"][0]) == 3


def test_claims_switches(engine_with: Any) -> None:
    record = deal(E20, "N play AS, E play TS, S play KS, W play JS, N marry KH", "normal N H")
    automatic = engine_with("--claims", "automatic")
    assert automatic.hello()["capabilities"]["claims"] == "automatic"
    assert awards(automatic.play(record)[-1]) == (3, 0, "claim")
    none = engine_with("--claims", "none")
    assert none.hello()["capabilities"]["claims"] == "none"
    last = none.play(record)[-1]
    assert last["phase"] == "play"
    assert "enough" not in json.dumps(last["legal"])


def test_a_wrong_switch_costs_one_line() -> None:
    assert NODE is not None
    for switches in (["--fault", "nothing"], ["--dance"], ["--rules", "no-such-file"]):
        command = [NODE, str(HERE / "adapter.mjs"), *switches]
        done = subprocess.run(command, input="", capture_output=True, text=True, check=False)
        assert done.returncode == 2
        assert done.stdout == ""
        assert done.stderr.startswith("adapter.mjs: ")
        assert done.stderr.count("\n") == 1
        assert "    at " not in done.stderr


def test_kit_notation() -> None:
    assert NODE is not None
    script = f"""
        import {{ parseAction, parseCard }} from {json.dumps((HERE / "kit.mjs").as_uri())};
        const words = ["play KH", "discard AH TH", "turn-up 2", "pass", "bid my-own", "raise gang",
          "bid-without-talon gang", "play  KH", "play KX", "turn-up 4", "pass now", "constructor",
          "", "Play KH", 7, null];
        const caught = (() => {{ try {{ parseCard("1H") }} catch (e) {{ return e.message }} }})();
        console.log(JSON.stringify([words.map(parseAction), parseCard("TH"), caught]));
    """
    command = [NODE, "--input-type=module", "-e", script]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    actions, card, caught = json.loads(done.stdout)
    assert [action and [action["verb"], *action["words"]] for action in actions] == [
        ["play", "KH"],
        ["discard", "AH", "TH"],
        ["turn-up", "2"],
        ["pass"],
        ["bid", "my-own"],
        ["raise", "gang"],
        ["bid-without-talon", "gang"],
        *[None] * 9,
    ]
    assert card == {"rank": "T", "suit": "H"}
    assert '"1H" is not a card' in caught


def test_rules_know_no_contract_and_no_seat_and_no_platform() -> None:
    text = (HERE / "rules.mjs").read_text(encoding="utf-8")
    source = re.sub(r"/\*.*?\*/|//[^\n]*", "", text, flags=re.DOTALL)
    words = set(re.findall(r"""["'`]([^"'`\n]*)["'`]""", source))
    assert not words & set(load_ruleset("pagat")["contracts"])
    assert not words & {"N", "E", "W", "NS", "EW"}
    assert not re.search(r"^\s*import\b|\bprocess\.|\brequire\(|Math\.random", source, re.MULTILINE)


# ------------------------------------------------------------------------------- deliberate faults

SCENES = {
    "E1": deal(E1, "N play KH, E play AH, S play TH, W play QH", "normal N H"),
    "E2": deal(E2, "N play KS, E play JS, S play TS, W play AS", "normal N H"),
    "E3": deal(E3, "N play AS, E play JH, S play JS, W play QH", "normal N H"),
    "E4": deal(E4, "N play AS, E play TH, S play TS, W play KH", "normal N H"),
    "E5": deal(E5, "E play AS, S play KS, W play QS, N play QC", "gang E H"),
    "E7": deal(E7, "W play QC, N play KC, S play AC", "bettler W H"),
    "E20": deal(E20, f"{FIRST_27}, N marry KH, N enough", "normal N H"),
    "E24": deal(E24, f"{E24_TRICKS}, N enough", "normal N H"),
    "E32": deal(E32, "N play QS, E play AS, S play JS, W play TH", "kontra-schnapser W H"),
    "E36": deal(E36, f"{E36_TRICKS}, N marry KH, N enough", "normal N H"),
}


def changed_scenes(right: Engine, wrong: Engine) -> set[str]:
    return {name for name, record in SCENES.items() if right.play(record) != wrong.play(record)}


@pytest.mark.slow
def test_fault_beats_first_card(engine: Engine, engine_with: Any) -> None:
    """Only the duty to beat changes: a card between the first and the best one is let through."""
    wrong = engine_with("--fault", "beats-first-card")
    case = {"contract": "normal", "trump": "H", "declarer": "N", "seats": [*SEATS], "seat": "S"}
    cases = [
        {**case, "trick": [["N", "QS"], ["E", "TS"]], "hand": ["AS", "KS", "JS"]},
        {**case, "trick": [["N", "QS"], ["E", "TS"]], "hand": ["KS", "JS"]},
        {**case, "trick": [["N", "QS"], ["E", "JH"]], "hand": ["KS", "JS"]},
        {**case, "trick": [["N", "QS"], ["E", "QH"]], "hand": ["KH", "JH"]},
        {**case, "trick": [["N", "QS"]], "hand": ["KS", "JS"]},
    ]
    for one, expected in (
        (engine, [["AS"], ["KS", "JS"], ["KS", "JS"], ["KH"], ["KS"]]),
        (wrong, [["AS", "KS"], ["KS"], ["KS", "JS"], ["KH"], ["KS"]]),
    ):
        assert one.ask("legal_plays", rules=one.rules(), cases=cases)["ok"] == expected
    # In both scenes the ace has beaten the card led, and the next player holds one in between.
    assert changed_scenes(engine, wrong) == {"E24", "E32"}
    every = load_ruleset("pagat")["contracts"]
    led_card = {"contracts": {name: {"head_target": "led_card"} for name in every}}
    records = random_deals(3, 40)
    assert engine.views(*records, changes=led_card) == wrong.views(*records)
    assert engine.views(*records) != wrong.views(*records)


def test_fault_trump_alive_in_gang(engine: Engine, engine_with: Any) -> None:
    wrong = engine_with("--fault", "trump-alive-in-gang")
    assert wrong.hello()["engine"]["version"].endswith("+trump-alive-in-gang")
    assert changed_scenes(engine, wrong) == {"E5"}
    views = wrong.play(
        deal(E5, "E play AS, S play KS, W play QS, N play QC, N play JH", "gang E H")
    )
    assert plays(views[3], "N") == "JH"
    assert reasons(views) == ["play.ruff"]
    assert awards(views[-1]) == (9, 0, "failed")
    assert views[0]["contract"]["trump"] is None


def test_fault_marriage_off_lead(engine: Engine, engine_with: Any) -> None:
    wrong = engine_with("--fault", "marriage-off-lead")
    # The scenes in which somebody who follows or ruffs may play the king or queen of a pair.
    assert changed_scenes(engine, wrong) == {"E3", "E4", "E20", "E32", "E36"}
    actions = "N play AS, E play TS, S marry KS"
    assert reasons(engine.play(deal(E20, actions, "normal N H"))) == ["marriages.on-lead"]
    last = wrong.play(deal(E20, actions, "normal N H"))[-1]
    assert "refused" not in last
    assert last["points"] == {"NS": 20, "EW": 0}
    assert last["sees"] == {seat: {"S": ["QS"]} for seat in "NEW"}


# ---------------------------------------------------------------------------- beside the reference


def random_deals(seed: int, count: int) -> list[dict[str, Any]]:
    """Deals played at random, half of them from the contract, with illegal attempts in between."""
    rng = random.Random(seed)
    rules = compile_rules(resolved("{}"))
    records = []
    for number in range(count):
        cards = rng.sample(CARDS, 20)
        hands = " / ".join(" ".join(cards[start : start + 5]) for start in range(0, 20, 5))
        name = "normal" if number % 4 else rng.choice(CONTRACTS)
        start = f"{name} {rng.choice(SEATS)} {rng.choice('HDSC')}" if number % 2 else ""
        record = deal(hands, "", start, dealer=rng.choice(SEATS))
        while (view := replay(rules, [record])[0][-1])["phase"] != "over":
            record["actions"].append(random_action(rng, view))
        records.append(record)
    return records


def random_action(rng: random.Random, view: View) -> list[str]:
    if rng.random() < 0.2:
        words = [f"play {card}" for card in CARDS] + [f"marry {card}" for card in CARDS]
        words += ["pass", "bid gang", "bid normal", "kontra", "rekontra", "trump H", "turn-up 1"]
        return [rng.choice(SEATS), rng.choice(words)]
    offers = [[seat, word] for seat, words in view["legal"].items() for word in words]
    return rng.choice([offer for offer in offers if offer[0] == view["to_act"]] * 3 + offers)


@pytest.mark.slow
def test_agrees_with_the_reference(engine: Engine) -> None:
    records = random_deals(11, 60)
    rules = compile_rules(resolved("{}"))
    for record in records:
        assert comparable(engine.play(record)) == comparable(replay(rules, [record])[0]), record
