"""The report for a person at a terminal: failures, then a summary by level and by chapter."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from ..corpus.rules import Rule
from ..corpus.scenario import Item
from ..levels import Level
from ..runner import Report
from ..verdicts import Judgement, Verdict
from .failure import describe_failure

MOST_FAILURES = 20
_ORDER = (
    Verdict.PASS, Verdict.FAIL, Verdict.ERROR, Verdict.FLAKY, Verdict.XPASS, Verdict.XFAIL,
    Verdict.UNSUPPORTED, Verdict.NOT_APPLICABLE, Verdict.NOT_RUN,
)  # fmt: skip


def render_report(
    report: Report,
    rules: Mapping[str, Rule],
    command: Sequence[str],
    *,
    most_failures: int = MOST_FAILURES,
) -> str:
    """Return the whole report as text."""
    lines: list[str] = []
    failing = [judgement for judgement in report.judgements if not judgement.verdict.conforms]
    for judgement in failing[:most_failures]:
        lines += [*describe_failure(judgement, rules, command, report.seed), ""]
    if len(failing) > most_failures:
        lines += [f"... and {len(failing) - most_failures} more; --json FILE has them all", ""]
    lines += summary_lines(report)
    return "\n".join(lines)


def summary_lines(report: Report) -> list[str]:
    """Return the certificate for people: who, against what, which levels, which counts."""
    hello, engine = report.hello, report.hello.engine
    language = f" ({engine.language})" if engine.language else ""
    lines = [
        f"Engine    {engine.name} {engine.version}{language}, "
        f"adapter {hello.adapter.name} {hello.adapter.version}",
        f"Suite     bauernschnapsen {report.suite_version}, {report.suite_digest[:19]}, "
        f"ruleset {report.ruleset['ruleset']}, seed {report.seed}",
        "",
        *_table(
            "Level", [(_level_title(report, level), _of_level(report, level)) for level in Level]
        ),
        "",
        *_table("Chapter", _by_chapter(report.judgements)),
        "",
    ]
    missing = not_observed(report.judgements)
    if missing:
        shown = ", ".join(f"{key} ({count})" for key, count in list(missing.items())[:6])
        lines.append(f"Not shown or not supported by the engine: {shown}")
    lines += [f"Note: {note}" for note in report.notes]
    if report.faults:
        lines.append(f"Faults of the adapter: {len(report.faults)}")
    reached = ", ".join(f"{level.value} {level.title}" for level in report.levels)
    counts = report.counts()
    said = ", ".join(f"{counts[verdict]} {verdict}" for verdict in _ORDER if verdict in counts)
    lines.append(f"{said} in {report.seconds:.1f} s")
    if not report.complete:
        lines.append("A selection of scenarios certifies nothing; run without --only for that.")
    lines.append(f"Levels reached: {reached}" if reached else "No level is reached.")
    return lines


def not_observed(judgements: Iterable[Judgement]) -> dict[str, int]:
    """Return how many scenarios were unsupported, by reason, most frequent first."""
    counts: dict[str, int] = {}
    for judgement in judgements:
        if judgement.verdict is Verdict.UNSUPPORTED:
            reason = judgement.reason.removeprefix("not observed: ").removeprefix("adapter: ")
            counts[reason] = counts.get(reason, 0) + 1
    return dict(sorted(counts.items(), key=lambda pair: (-pair[1], pair[0])))


def _level_title(report: Report, level: Level) -> str:
    return f"{level.value} {level.title:<8} {'reached' if report.reached(level) else '-'}"


def _of_level(report: Report, level: Level) -> list[Judgement]:
    return [judgement for judgement in report.judgements if judgement.level == level]


def _by_chapter(judgements: Iterable[Judgement]) -> list[tuple[str, list[Judgement]]]:
    chapters: dict[str, list[Judgement]] = {}
    for judgement in judgements:
        chapters.setdefault(_chapter(judgement.item), []).append(judgement)
    return list(chapters.items())


def _chapter(item: Item) -> str:
    return item.chapter


def _table(title: str, rows: Sequence[tuple[str, Sequence[Judgement]]]) -> list[str]:
    """Return a table of counts; columns without a count are left out."""
    present = [
        verdict
        for verdict in _ORDER
        if any(judgement.verdict is verdict for _, judged in rows for judgement in judged)
    ] or [Verdict.PASS]
    width = max(len(title), *(len(name) for name, _ in rows)) if rows else len(title)
    lines = [f"{title:<{width}}  " + "  ".join(f"{verdict:>6}" for verdict in present)]
    for name, judged in rows:
        cells = []
        for verdict in present:
            count = sum(judgement.verdict is verdict for judgement in judged)
            cells.append(f"{count or '.':>{max(6, len(verdict))}}")
        lines.append(f"{name:<{width}}  " + "  ".join(cells))
    return lines
