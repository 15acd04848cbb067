"""Pages of the HTML report about engines that blunder, each made once."""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest
from certifying import certified, kind

from bauernschnapsen_conformance.corpus.rules import load_rules
from bauernschnapsen_conformance.engine import Engine
from bauernschnapsen_conformance.report.html import html_report
from bauernschnapsen_conformance.report.machine import json_report
from bauernschnapsen_conformance.report.repeat import Repeat

Json = dict[str, Any]
ATTACK = "<script>alert(1)</script><img src=x onerror=alert(2)>'\"&"
ENGINE = Engine(("./my engine", "--fast"))


class Blunderer:
    """The reference engine with blunders of every kind, and with texts that attack the page."""

    def __init__(self, *, queries: bool = False) -> None:
        self.inner = kind(starts=()) if queries else kind()

    def handle(self, message: Json) -> Json:
        reply: Json = self.inner.handle(message)
        if message["op"] == "hello":
            reply["ok"]["engine"]["name"] = f"Blunderer {ATTACK}"
        elif message["op"] == "legal_plays" and "ok" in reply:
            for case, answer in zip(message["cases"], reply["ok"], strict=True):
                answer[:] = case["hand"]
        elif message["op"] == "replay" and "ok" in reply:
            self._blunder(message, reply)
        return reply

    def _blunder(self, message: Json, reply: Json) -> None:
        what = sum(map(ord, json.dumps(message["deals"]))) % 5
        if what == 0:
            raise RuntimeError(f"no idea {ATTACK}")
        for view in (view for deal in reply["ok"] for view in deal):
            for actions in view["legal"].values():
                if what == 1 and view["trick"] and len(actions) > 1:
                    actions.pop()
            if what == 2:
                view["to_act"] = ATTACK * 100
            elif what == 3 and view["outcome"]:
                view["outcome"] = {ATTACK: [ATTACK] * 500, "awards": {"NS": 1e9, "EW": [[[[[]]]]]}}


@lru_cache
def page_of(case: str, most: int = 100) -> str:
    cases: dict[str, tuple[Any, dict[str, Any]]] = {
        "blunders": (Blunderer(), {"step": 4, "blind": True, "seed": 5}),
        "queries": (Blunderer(queries=True), {"step": 2}),
        "right": (kind(), {"step": 8}),
        "no claims": (kind(claims="none"), {"step": 4}),
    }
    engine, how = cases[case]
    report = certified(engine, **how)
    whole = json_report(report, ENGINE)
    repeat = Repeat(ENGINE, seed=report.seed, blind=report.blind)
    return html_report(report, whole, load_rules(), repeat, most_failures=most).decode()


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("report") / "report.html"
    file.write_text(page_of("blunders", most=20), "utf-8")
    return file
