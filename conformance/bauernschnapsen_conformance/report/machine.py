"""The JSON report and the certificate, each with a published schema."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from typing import Any

from bauernschnapsen.notation import SUITS

from ..run import tally
from ..run.engine import Engine
from ..run.outcome import HouseRules, Report, under_of
from ..run.verdicts import MAY_BE_EXCUSED, Judgement, Verdict
from ..views import Difference

Json = dict[str, Any]
REPORT_FORMAT = "bauernschnapsen-report/1"
CERTIFICATE_FORMAT = "bauernschnapsen-certificate/1"
MOST_DIFFERENCES = 20


def json_report(
    report: Report, engine: Engine | None = None, *, issued: datetime.date | None = None
) -> Json:
    """Return everything about a run: the facts of the certificate and one entry per scenario."""
    swept, house = report.exhaustive, report.house_rules
    return whole(
        {
            "format": REPORT_FORMAT,
            "issued": (issued or datetime.date.today()).isoformat(),
            "suite": {"version": report.suite_version, "digest": report.suite_digest},
            "engine": report.hello.raw.get("engine"),
            "adapter": report.hello.raw.get("adapter"),
            "capabilities": report.hello.raw.get("capabilities", {}),
            "files": engine.files() if engine is not None else [],
            "profile": report.ruleset,
            "seed": report.seed,
            "blind": report.blind,
            "only": list(report.selection.only),
            "shard": _shard(report.selection.shard),
            "stopped": report.stopped,
            "known_failures": list(report.stale),
            "shown": list(report.shown.shown),
            "not_shown": list(report.shown.missing),
            "faults": len(report.faults),
            "notes": list(report.notes),
            "seconds": round(report.seconds, 3),
            **({} if swept is None else {"exhaustive": swept.as_json()}),
            **({} if house is None else {"house_rules": house_rules_entry(house)}),
        },
        [result_entry(judgement) for judgement in report.judgements],
    )


def whole(facts: Json, entries: Sequence[Json]) -> Json:
    """Return a report: facts of a run, what follows from its entries, and the entries."""
    swept = facts.get("exhaustive")
    levels = tally.level_table(entries, withheld=swept["withheld"] if swept else ())
    conforming = _as_expected(facts, entries) and any(level["reached"] for level in levels.values())
    return {
        **facts,
        "complete": not facts["only"] and facts["shard"] is None,
        "conforming": conforming,
        "levels": levels,
        "counts": tally.counts(entries),
        "not_observed": tally.not_observed(entries),
        "results": list(entries),
    }


def _as_expected(facts: Json, entries: Sequence[Json]) -> bool:
    """Whether nothing went wrong but what the list of known failures says."""
    swept, house = facts.get("exhaustive"), facts.get("house_rules")
    return (
        facts["stopped"] is None
        and (swept is None or swept["conforms"])
        and (house is None or house["conforms"])
        and not facts["known_failures"]
        and tally.conforms(entries)
    )


def certificate(report: Json) -> Json:
    """Return the certificate of a JSON report: what was certified, against what, which result.

    Only a complete run makes a certificate that says so (`complete`).
    """
    kept = {key: value for key, value in report.items() if key not in ("seconds", "results")}
    if "house_rules" in kept:
        house = kept["house_rules"]
        kept["house_rules"] = {key: value for key, value in house.items() if key != "results"}
    return {**kept, "format": CERTIFICATE_FORMAT}


def exit_code(report: Json) -> int:
    """Return the exit code a JSON report stands for: 0 as expected, 1 not, 4 stopped.

    Known failures may withhold every level; whoever lists them expects that.
    """
    if report["stopped"] is not None:
        return 4
    expected = report["conforming"] or (
        Verdict.XFAIL in report["counts"] and _as_expected(report, report["results"])
    )
    return 0 if expected else 1


def _shard(shard: tuple[int, int] | None) -> str | None:
    return None if shard is None or shard == (1, 1) else f"{shard[0]}/{shard[1]}"


def house_rules_entry(house: HouseRules) -> Json:
    """Return what was asked under other rules; a certificate leaves out `results`."""
    if house.reason:
        return {"asked": False, "reason": house.reason, "conforms": True}
    entries = [
        {**result_entry(judgement), "under": under_of(judgement.item)}
        for judgement in house.judgements
    ]
    return {
        "asked": True,
        "conforms": house.conforms,
        "tables": len(house.tables),
        "scenarios": len(entries),
        "counts": tally.counts(entries),
        "not_observed": tally.not_observed(entries),
        "results": entries,
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
    if judgement.excused and judgement.verdict in MAY_BE_EXCUSED:
        entry["excused"] = True
    if judgement.turned:
        entry["turned"] = judgement.turned
    if judgement.suits != SUITS:
        entry["suits"] = judgement.suits
    if judgement.differences:
        entry["incidental"] = judgement.incidental
        entry["differences"] = [_difference(d) for d in judgement.differences[:MOST_DIFFERENCES]]
    if judgement.fault is not None:
        entry["fault"] = {"kind": judgement.fault.kind.value, "detail": judgement.fault.detail}
    return entry


def _difference(difference: Difference) -> Json:
    return {
        "deal": difference.deal,
        "view": difference.view,
        "where": difference.where,
        "expected": difference.expected,
        "got": difference.got,
        "stated": difference.stated,
    }
