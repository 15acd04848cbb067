"""Pages of the HTML report about engines that blunder, each made once."""

from __future__ import annotations

import json
import re
from functools import lru_cache
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from certifying import certified, kind

from bauernschnapsen_conformance.corpus.rules import load_rules
from bauernschnapsen_conformance.report.html import html_report
from bauernschnapsen_conformance.report.machine import json_report
from bauernschnapsen_conformance.report.repeat import Repeat
from bauernschnapsen_conformance.run.engine import Engine

Json = dict[str, Any]
ATTACK = "<script>alert(1)</script><img src=x onerror=alert(2)>'\"&"
ENGINE = Engine(("./my engine", "--fast"))


VOID = {"meta", "link", "br", "input", "img", "hr"}


class Outline(HTMLParser):
    """Holds a page to the rules of HTML that a parser would silently mend."""

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.faults: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.headings: list[int] = []
        self.tags: dict[str, int] = {}
        self.asked: list[str] = []
        self.shown: list[str] = []
        self.feed(page)
        self.close()
        self.faults += [f"{tag} is not closed" for tag in self.open]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if len(given) != len(attrs):
            self.faults.append(f"{tag} has an attribute twice")
        self.tags[tag] = self.tags.get(tag, 0) + 1
        if "id" in given:
            self.ids.append(given["id"] or "")
        if tag == "a":
            self.links.append(given["href"] or "")
        elif tag == "th" and "scope" not in given:
            self.faults.append("th without scope")
        self.asked += [v or "" for k, v in attrs if k in ("src", "srcset", "action", "poster")]
        if tag == "link":
            self.asked.append(given["href"] or "")
        if re.fullmatch("h[1-6]", tag):
            self.headings.append(int(tag[1]))
        if any(name.startswith("on") for name in given):
            self.faults.append(f"{tag} with a script in an attribute")
        if "p" in self.open and tag in ("p", "div", "table", "pre", "ol", "ul", "dl", "details"):
            self.faults.append(f"{tag} in p")
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open.pop() != tag:
            self.faults.append(f"</{tag}> closes something else")

    def handle_data(self, data: str) -> None:
        if not {"script", "style", "code", "pre"} & set(self.open):
            self.shown.append(data)

    @property
    def text(self) -> str:
        return " ".join("".join(self.shown).split())


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
