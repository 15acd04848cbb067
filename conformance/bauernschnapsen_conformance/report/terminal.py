"""The report for a person at a terminal: failures, then a summary by level and by chapter."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from bauernschnapsen.errors import printable

from ..counting import counted
from ..run import tally
from ..run.levels import Level
from ..run.outcome import Report
from ..run.verdicts import Verdict
from .exhaustive import exhaustive_lines
from .failure import describe_failure, rule_texts
from .house_rules import describe_failure_elsewhere, failures_elsewhere, house_rule_lines
from .repeat import Repeat

Json = dict[str, Any]
MOST_FAILURES = 20
_MOST_REASONS = 12
_ORDER = (
    Verdict.PASS, Verdict.FAIL, Verdict.ERROR, Verdict.FLAKY, Verdict.XPASS, Verdict.XFAIL,
    Verdict.UNSUPPORTED, Verdict.NOT_APPLICABLE, Verdict.NOT_RUN,
)  # fmt: skip


def render_failures(report: Report, repeat: Repeat, *, most_failures: int = MOST_FAILURES) -> str:
    """Return every failing verdict in full, up to a number; empty if there is none.

    First come those that contradict what an author states: they name the rule that is broken. Where
    only the reference says otherwise, the rule that a scenario is about may well be kept.
    """
    lines: list[str] = []
    failing = [judgement for judgement in report.judgements if not judgement.verdict.conforms]
    # What was not asked says nothing about the engine; the summary counts it.
    told = [judgement for judgement in failing if judgement.verdict is not Verdict.NOT_RUN]
    told.sort(key=lambda judgement: judgement.incidental)
    rules = rule_texts(report.ruleset) if told[:most_failures] else {}
    for judgement in told[:most_failures]:
        lines += [*describe_failure(judgement, rules, repeat), ""]
    left = most_failures - len(told)
    elsewhere = list(failures_elsewhere(report.house_rules, repeat))
    for judgement, texts, again in elsewhere[: max(0, left)]:
        lines += [*describe_failure_elsewhere(judgement, texts, again), ""]
    more = len(told) + len(elsewhere) - most_failures
    if more > 0:
        lines += [f"... and {more} more; --json FILE has them all", ""]
    return "\n".join(lines)


def summary_lines(report: Json) -> list[str]:
    """Return a JSON report as a certificate for people: who, against what, levels, counts."""
    engine, adapter = report["engine"], report["adapter"]
    language = f" ({engine['language']})" if engine.get("language") else ""
    suite = report["suite"]
    blind = "blind, " if report["blind"] else ""
    entries = report["results"]
    levels = report["levels"]
    lines = [
        f"Engine    {engine['name']} {engine['version']}{language}, "
        f"adapter {adapter['name']} {adapter['version']}",
        f"Suite     bauernschnapsen {suite['version']}, {suite['digest'][:19]}, "
        f"ruleset {report['profile']['ruleset']}, {blind}seed {report['seed']}",
        "",
        *_table(
            "Level",
            [
                (
                    _level_title(level, reached=levels[level.title]["reached"]),
                    levels[level.title]["counts"],
                )
                for level in Level
            ],
        ),
        "",
        *_table(
            "Chapter",
            [
                (chapter, tally.counts(inside))
                for chapter, inside in tally.by_chapter(entries).items()
            ],
        ),
        "",
        *_remarks(report),
    ]
    lines += exhaustive_lines(report.get("exhaustive"))
    lines += house_rule_lines(report.get("house_rules"))
    counts = report["counts"]
    said = ", ".join(f"{counts[verdict]} {verdict}" for verdict in _ORDER if verdict in counts)
    lines.append(f"{said or 'nothing asked'} in {report['seconds']:.1f} s")
    reached = ", ".join(
        f"{level.value} {level.title}" for level in Level if levels[level.title]["reached"]
    )
    lines.append(f"Levels reached: {reached}" if reached else "No level is reached.")
    return [printable(line) for line in lines]


def _remarks(report: Json) -> list[str]:
    lines = []
    if report["not_observed"]:
        lines.append("Not supported or not shown, with the number of scenarios that needed it:")
        rows = list(report["not_observed"].items())
        lines += [f"  {count:>5}  {reason}" for reason, count in rows[:_MOST_REASONS]]
        if len(rows) > _MOST_REASONS:
            lines.append(f"         and {counted(len(rows) - _MOST_REASONS, 'other reason')}")
    lines += tally.unsupported_lines(report["results"])
    if report["not_shown"]:
        lines.append(f"Never shown in a view: {', '.join(report['not_shown'])}")
    lines += [f"Known failures: {problem}" for problem in report["known_failures"]]
    lines += [f"Note: {note}" for note in report["notes"]]
    if report["faults"]:
        lines.append(f"Faults of the adapter: {report['faults']}")
    if report["stopped"]:
        lines.append(f"The run was stopped: {report['stopped']}.")
    if report["only"]:
        lines.append("A selection of scenarios certifies nothing; run without --only for that.")
    if report["shard"]:
        lines.append(
            f"This is shard {report['shard']}; join the JSON reports with bauernschnapsen merge."
        )
    return lines


def _level_title(level: Level, *, reached: bool) -> str:
    return f"{level.value} {level.title:<8} {'reached' if reached else '-'}"


def _table(title: str, rows: Sequence[tuple[str, Mapping[str, int]]]) -> list[str]:
    """Return a table of counts; columns without a count are left out."""
    present = [verdict for verdict in _ORDER if any(verdict in counts for _, counts in rows)]
    present = present or [Verdict.PASS]
    width = max([len(title), *(len(name) for name, _ in rows)])
    lines = [f"{title:<{width}}  " + "  ".join(f"{verdict:>6}" for verdict in present)]
    for name, counts in rows:
        cells = [f"{counts.get(verdict) or '.':>{max(6, len(verdict))}}" for verdict in present]
        lines.append(f"{name:<{width}}  " + "  ".join(cells))
    return lines
