"""Little evidence gives modest answers; crashes and silence do not lead `identify` astray."""

from __future__ import annotations

import json
import random
import sys
from typing import Any

import pytest
from identifying import HOUSE, PAGAT, identified

from bauernschnapsen.ruleset import vary
from bauernschnapsen_conformance.commands import main
from bauernschnapsen_conformance.identify.alike import same_form
from bauernschnapsen_conformance.identify.caution import Caution
from bauernschnapsen_conformance.identify.fields import played
from bauernschnapsen_conformance.identify.printing import print_findings
from bauernschnapsen_conformance.identify.running import Findings, as_json
from bauernschnapsen_conformance.identify.served import fixed_engine

MUCH = frozenset(
    ("legal", "bid", "sees", "trick", "last_trick", "phase", "contract", "tricks", "scores")
)


class Through:
    """An engine whose replies to `replay` are changed on the way."""

    def __init__(self, change: Any, rules: Any = PAGAT, **capabilities: Any) -> None:
        self._engine = fixed_engine(rules, **capabilities)
        self._change = change

    def handle(self, message: dict[str, Any]) -> dict[str, Any]:
        reply: dict[str, Any] = self._engine.handle(message)
        if message["op"] != "replay":
            return reply
        changed: dict[str, Any] = self._change(message, reply)
        return changed


def views(reply: dict[str, Any], change: Any) -> dict[str, Any]:
    if "ok" not in reply:
        return reply
    return {"ok": [[change(view) for view in deal] for deal in reply["ok"]]}


NOTHING: dict[str, Any] = {
    "empty views": Through(lambda _, reply: views(reply, lambda _: {})),
    "views of nothing": Through(lambda _, reply: {"ok": [[] for _ in reply.get("ok", ())]}),
    "broken views": Through(lambda _, reply: views(reply, lambda _: {"error": "no view"})),
    "only queries": Through(lambda *_: {"unsupported": "no replay"}, starts=[]),
    "unsupported": Through(lambda *_: {"unsupported": "no replay"}),
    "errors": Through(lambda *_: {"error": {"message": "out of order"}}),
    "no answer": Through(lambda *_: {"ok": "what?"}),
}


def printed(found: Findings) -> list[str]:
    return list(print_findings(found, found.file("found")))


@pytest.mark.parametrize("name", NOTHING)
def test_nothing_to_see_is_nothing_determined(name: str) -> None:
    found = identified(NOTHING[name], suite=True)
    assert found.nothing
    assert found.values == []
    assert found.bugs == []
    assert found.result.observed == []
    assert found.exit_code == 1
    lines = printed(found)
    assert lines[0].startswith("Nothing could be determined: ")
    assert len(lines) < 16
    data = as_json(found, found.file("found"))
    assert data["profile"] is None
    assert data["ruleset"] is None
    assert found.result.asked < 60


def test_an_engine_for_three_is_asked_nothing_and_told_why(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Served as what it is, over a pipe: no errors about seats and scores, but the reason."""
    serve = [sys.executable, "-m", "bauernschnapsen_conformance", "serve", "--fixed"]
    assert main(["identify", "--", *serve, "--ruleset", "talon"]) == 1
    said = capsys.readouterr().out
    assert said.startswith("Nothing could be determined: the engine is for 3 players")
    assert "tables of four only" in said
    assert "0 deals played" in said
    assert main(["identify", "--base", "talon", "--", *serve]) == 2
    assert "talon is for 3 players" in capsys.readouterr().err


@pytest.mark.slow
def test_an_engine_that_shows_only_whose_turn_it_is_gets_no_confident_values() -> None:
    """It hides values, awards and what is legal: no word about them."""
    profile = vary(PAGAT, {"contracts": {"bettler": {"value": 5}}})
    found = identified(
        Through(
            lambda _, reply: views(
                reply, lambda view: {key: view[key] for key in ("to_act",) if key in view}
            ),
            profile,
        )
    )
    assert "contracts.bettler.value" not in {value.name for value in found.values}
    assert ("contracts", "bettler", "value") in found.result.unseen
    assert {"legal", "outcome", "scores"} <= set(found.never_shown)
    assert f"The engine never shows {', '.join(found.never_shown)}." in printed(found)


JUNK: tuple[Any, ...] = (
    None, 5, -1e9, True, "x", "\u202e\x1b[31m", [], {}, [1, {}], {"N": [1, {"a": 2}]},
    {"N": "play AH"}, {"X": ["play AH"]}, {"N": None}, ["play AH"], {"awards": [1]},
    {"awards": {"NS": "a"}}, {"name": 7}, {"name": "gang"}, {"cards": 3},
    {"winners": [[]], "bummerl": 4},
)  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("share", [0.02, 0.5])
def test_nonsense_in_views_is_no_crash(share: float) -> None:
    """An engine that answers anything at all, cut short: there is a report all the same."""
    source = random.Random(f"junk {share}")

    def junk(view: dict[str, Any]) -> dict[str, Any]:
        return {
            key: source.choice(JUNK) if source.random() < share else value
            for key, value in {**view, "refused": view.get("refused", False)}.items()
        }

    def change(_: Any, reply: dict[str, Any]) -> dict[str, Any]:
        return {"ok": source.choice(JUNK)} if source.random() < share else views(reply, junk)

    found = identified(Through(change, vary(PAGAT, HOUSE)), seconds=2)
    lines = printed(found)
    assert all(line.isprintable() for text in lines for line in text.split("\n"))
    assert found.exit_code == 1
    assert not found.result.finished
    assert any("try --seconds" in line for line in lines)
    json.dumps(as_json(found, found.file("found")))


def shapes(value: Any, change: Any) -> Any:
    """Change the form of all that a value is made of."""
    if isinstance(value, list):
        return change([shapes(one, change) for one in value])
    if isinstance(value, dict):
        return change({key: shapes(one, change) for key, one in value.items()})
    return change(value)


def as_text(value: Any) -> Any:
    return str(value) if type(value) is int else value


def as_object(value: Any) -> Any:
    return {str(place): one for place, one in enumerate(value)} if type(value) is list else value


@pytest.mark.slow
@pytest.mark.parametrize(
    ("change", "misshapen"),
    [
        (as_text, {"points", "tricks", "scores", "contract", "last_trick", "outcome"}),
        (as_object, {"legal", "trick", "last_trick", "sees"}),
    ],
)
def test_what_is_never_of_its_form_is_told_once_and_left_aside(
    change: Any, misshapen: set[str]
) -> None:
    profile = vary(PAGAT, HOUSE)
    engine = Through(lambda _, reply: views(reply, lambda view: shapes(view, change)), profile)
    found = identified(engine)
    assert misshapen <= {one.key for one in found.misshapen}
    assert found.result.finished
    assert found.exit_code == 1
    assert "zehner-gang" not in played(found.ruleset)  # what the rest of the views tells
    lines = printed(found)
    for key in misshapen:
        told = [line for line in lines if line.startswith(f"  {key} is never of the form")]
        assert len(told) == 1
    assert set(as_json(found, found.file("found"))["misshapen"]) >= misshapen


def test_views_that_are_misshapen_throughout_end_the_search_at_once() -> None:
    wrap = Through(
        lambda _, reply: views(
            reply, lambda view: {key: {"value": [view[key]]} for key in view if key != "refused"}
        )
    )
    found = identified(wrap, suite=True)
    assert printed(found)[0] == (
        "Nothing could be determined: nothing in the views that the engine gave has the form that "
        "the protocol says."
    )
    assert found.result.asked < 60
    assert found.values == []
    assert found.exit_code == 1


@pytest.mark.slow
def test_a_report_says_that_a_mistake_may_look_like_a_house_rule() -> None:
    found = identified(fixed_engine(vary(PAGAT, {"contracts": {"bettler": {"value": 5}}})))
    assert any("plays exactly like a house rule cannot be told from one" in line
               for line in printed(found))  # fmt: skip
    same = identified(fixed_engine(PAGAT))
    assert not any("cannot be told from one" in line for line in printed(same))


@pytest.mark.slow
def test_little_to_see_and_crashes_do_not_lead_astray() -> None:
    asked = 0

    def little(_: Any, reply: dict[str, Any]) -> dict[str, Any]:
        nonlocal asked
        asked += 1
        if asked % 97 == 0:
            raise RuntimeError("out of order")
        return views(reply, lambda view: {key: view[key] for key in view if key not in MUCH})

    profile = vary(PAGAT, HOUSE)
    found = identified(Through(little, profile))
    assert same_form(found.ruleset, profile)
    assert not found.bugs
    (trouble,) = found.troubles
    assert trouble.what == "crash: raised RuntimeError: out of order"


@pytest.mark.slow
def test_an_engine_that_breaks_down_over_kontra_is_asked_about_everything_else() -> None:
    def no_kontra(message: dict[str, Any], reply: dict[str, Any]) -> dict[str, Any]:
        if any(action == "kontra" for deal in message["deals"] for _, action in deal["actions"]):
            raise RuntimeError("what is kontra?")
        return reply

    profile = vary(PAGAT, HOUSE)
    found = identified(Through(no_kontra, profile), suite=True)
    assert same_form(found.ruleset, profile)
    assert not found.bugs
    assert sum(trouble.count for trouble in found.troubles) < 20
    assert "kontra" in found.left_alone
    assert "  Not asked any more, for that reason: kontra" in printed(found)


@pytest.mark.gates
def test_an_adapter_that_never_says_refused_has_one_bug_and_not_hundreds() -> None:
    profile = vary(PAGAT, HOUSE)
    found = identified(
        Through(
            lambda _, reply: views(
                reply, lambda view: {key: view[key] for key in view if key != "refused"}
            ),
            profile,
        )
    )
    assert same_form(found.ruleset, profile)
    assert [bug.rule for bug in found.bugs] == ["notation.refused"]


def test_what_an_engine_breaks_down_over_is_not_tried_for_ever() -> None:
    caution = Caution()
    both, alone = frozenset({"kontra", "play"}), frozenset({"play"})
    assert caution.first_ones([both, both, alone]) == [0]
    caution.note(both, managed=False)
    caution.note(alone, managed=True)
    assert caution.avoided(both) is None
    caution.note(both, managed=False)
    caution.note(both, managed=False)
    assert caution.avoided(both) == "kontra"
    assert caution.avoided(alone) is None
    assert caution.left_alone == ["kontra"]
    caution.note(both, managed=True)
    assert caution.avoided(both) is None


@pytest.mark.parametrize("starts", [["contract"], ["deal", "contract"]])
@pytest.mark.slow
def test_an_engine_may_let_any_hand_win_that_is_shown(starts: list[str]) -> None:
    """Nobody bids without the cards, so nobody knows what showing others would bring."""

    def always_won(message: dict[str, Any], reply: dict[str, Any]) -> dict[str, Any]:
        if "ok" not in reply:
            return reply
        for deal, views in zip(message["deals"], reply["ok"], strict=True):
            start = deal.get("contract")
            for view in views:
                del view["scores"], view["game"]
                if not start or start["name"] not in ("farben-gang", "herren-schnapser"):
                    continue
                if view["outcome"] and view["outcome"]["reason"] == "failed":
                    awards = view["outcome"]["awards"]
                    awards["NS"], awards["EW"] = awards["EW"], awards["NS"]
                    view["outcome"]["reason"] = "shown"
        return reply

    found = identified(Through(always_won, starts=starts))
    assert same_form(found.ruleset, PAGAT)
    assert not found.bugs
