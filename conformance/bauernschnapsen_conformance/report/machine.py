"""Reports for programs: the JSON report and the certificate, each with a published schema."""

from __future__ import annotations

import datetime
from typing import Any

from ..levels import Level
from ..runner import Report
from ..verdicts import Judgement, Verdict
from .terminal import not_observed

Json = dict[str, Any]
REPORT_FORMAT = "bauernschnapsen-report/1"
CERTIFICATE_FORMAT = "bauernschnapsen-certificate/1"


def certificate(report: Report, *, issued: datetime.date | None = None) -> Json:
    """Return the certificate: what was certified, against what, with which result.

    Only a complete run makes a certificate that says so (`complete`).
    """
    return {
        "format": CERTIFICATE_FORMAT,
        "issued": (issued or datetime.date.today()).isoformat(),
        "suite": {"version": report.suite_version, "digest": report.suite_digest},
        "engine": report.hello.raw.get("engine"),
        "adapter": report.hello.raw.get("adapter"),
        "capabilities": report.hello.raw.get("capabilities", {}),
        "profile": report.ruleset,
        "complete": report.complete,
        "conforming": report.exit_code == 0,
        "levels": {level.title: _level(report, level) for level in Level},
        "counts": {verdict.value: count for verdict, count in report.counts().items()},
        "not_observed": not_observed(report.judgements),
        "faults": len(report.faults),
        "seed": report.seed,
        "notes": list(report.notes),
    }


def _level(report: Report, level: Level) -> Json:
    judged = [judgement for judgement in report.judgements if judgement.level == level]
    counts: dict[str, int] = {}
    for judgement in judged:
        counts[judgement.verdict.value] = counts.get(judgement.verdict.value, 0) + 1
    return {"level": level.value, "reached": report.reached(level), "counts": counts}


def json_report(report: Report) -> Json:
    """Return everything about a run: the certificate's facts and one entry per scenario."""
    return {
        **certificate(report),
        "format": REPORT_FORMAT,
        "seconds": round(report.seconds, 3),
        "results": [result_entry(judgement) for judgement in report.judgements],
    }


def result_entry(judgement: Judgement) -> Json:
    """Return one scenario's verdict as JSON."""
    entry: Json = {
        "id": judgement.item.id,
        "chapter": judgement.item.chapter,
        "rules": list(judgement.item.rules),
        "level": judgement.level.value,
        "verdict": judgement.verdict.value,
    }
    if judgement.reason:
        entry["reason"] = judgement.reason
    if judgement.turned:
        entry["turned"] = judgement.turned
    if judgement.verdict is Verdict.FAIL:
        entry["incidental"] = judgement.incidental
        entry["differences"] = [
            {
                "deal": difference.deal,
                "view": difference.view,
                "where": difference.where,
                "expected": difference.expected,
                "got": difference.got,
                "stated": difference.stated,
            }
            for difference in judgement.differences[:20]
        ]
    if judgement.fault is not None:
        entry["fault"] = {"kind": judgement.fault.kind.value, "detail": judgement.fault.detail}
    return entry
