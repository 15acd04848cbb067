"""JUnit XML, which continuous integration servers read: one test case per scenario."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from xml.etree import ElementTree as ET

from ..run.outcome import Report
from ..run.verdicts import Judgement, Verdict
from .failure import Texts, describe_failure, rule_texts
from .repeat import Repeat

_NOT_IN_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def junit_xml(report: Report, repeat: Repeat) -> bytes:
    """Return the report as JUnit XML; one test suite per chapter.

    Where other house rules were asked, each table adds its own, `house-rules.CHAPTER`.
    """
    root = ET.Element("testsuites", name="bauernschnapsen")
    rules = rule_texts(report.ruleset)
    _add(root, report.judgements, rules, repeat)
    if report.house_rules is not None:
        elsewhere = replace(repeat, house_rules=True)
        for table in report.house_rules.tables:
            _add(root, table.judgements, rule_texts(table.ruleset), elsewhere, "house-rules.")
    ET.indent(root)
    xml: bytes = ET.tostring(root, encoding="utf-8", xml_declaration=True)
    return xml


def _add(
    root: ET.Element,
    judgements: Iterable[Judgement],
    rules: Texts,
    repeat: Repeat,
    group: str = "",
) -> None:
    chapters: dict[str, list[Judgement]] = {}
    for judgement in judgements:
        chapters.setdefault(f"{group}{judgement.item.chapter}", []).append(judgement)
    for chapter, judged in chapters.items():
        counts = [_kind(judgement) for judgement in judged]
        suite = ET.SubElement(
            root,
            "testsuite",
            name=chapter,
            tests=str(len(judged)),
            failures=str(counts.count("failure")),
            errors=str(counts.count("error")),
            skipped=str(counts.count("skipped")),
        )
        for judgement in judged:
            case = ET.SubElement(
                suite, "testcase", classname=f"bauernschnapsen.{chapter}", name=judgement.item.id
            )
            kind = _kind(judgement)
            if kind is None:
                continue
            message = judgement.reason or judgement.verdict.value
            node = ET.SubElement(case, kind, message=_clean(message))
            if kind != "skipped":
                node.set("type", judgement.verdict.value)
                text = "\n".join(describe_failure(judgement, rules, repeat))
                node.text = _clean(text)


def _kind(judgement: Judgement) -> str | None:
    verdict = judgement.verdict
    if verdict is Verdict.PASS:
        return None
    if judgement.conforms:
        return "skipped"
    return "failure" if verdict in (Verdict.FAIL, Verdict.XPASS, Verdict.FLAKY) else "error"


def _clean(text: str) -> str:
    return _NOT_IN_XML.sub("\ufffd", text)
