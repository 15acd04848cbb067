"""The report as one HTML file that needs nothing else: to be mailed, attached, put on a server.

It asks for nothing outside itself, and forbids it (content security policy). Without scripts it is
complete as text; with them cards are drawn in the suits the reader chooses, and deals can be walked
through step by step.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from ..cards import page_script, page_style, switch_element
from ..corpus.rules import Rule
from ..corpus.scenario import Scenario
from ..counting import counted
from ..run import tally
from ..run.levels import Level
from ..run.outcome import Report, Table, under_of
from ..run.verdicts import Judgement, Verdict
from . import html_words as say
from .house_rules import failing_elsewhere, flow, house_rule_lines, what_is_said
from .html_failure import failure_section
from .repeat import Repeat

Json = dict[str, Any]
MOST_FAILURES = 100
_MOST_LISTED = 2000
_FOLD = '<p id="all-failures"></p>'  # buttons that fold and unfold all go here
_PAGE = Path(__file__).resolve().parent / "page"
_ORDER = (
    Verdict.PASS, Verdict.FAIL, Verdict.ERROR, Verdict.FLAKY, Verdict.XPASS, Verdict.XFAIL,
    Verdict.UNSUPPORTED, Verdict.NOT_APPLICABLE, Verdict.NOT_RUN,
)  # fmt: skip


def html_report(
    report: Report,
    whole: Json,
    rules: Mapping[str, Rule],
    repeat: Repeat,
    *,
    most_failures: int = MOST_FAILURES,
) -> bytes:
    """Return the report as an HTML page. `whole` is the JSON report of the same run.

    `most_failures` are told in full, the others are listed with their reason.
    """
    failing = [
        judgement
        for judgement in report.judgements
        if not judgement.verdict.conforms and judgement.verdict is not Verdict.NOT_RUN
    ]
    elsewhere = [
        (table, judgement)
        for table, inside in failing_elsewhere(report.house_rules)
        for judgement in inside
    ]
    again = replace(repeat, house_rules=report.house_rules is not None)
    left = max(0, most_failures - len(failing))
    parts = [
        f'<section id="summary" aria-labelledby="h-summary">{"".join(_summary(whole))}</section>',
        '<section id="failures" aria-labelledby="h-failures">'
        f"{''.join(_failures(failing, report, rules, repeat, most_failures))}</section>",
        *_elsewhere(elsewhere, report, rules, repeat, left, before=len(failing)),
        '<section id="not-observed" aria-labelledby="h-not-observed">'
        f"{''.join(_not_observed(whole))}</section>",
        f'<section id="repeat" aria-labelledby="h-repeat"><h2 id="h-repeat">Repeat the run</h2>'
        f'<div class="commands"><p>The whole run:</p>{say.command(again.certify())}</div>'
        "</section>",
    ]
    return _page(whole, "".join(parts), len(failing), len(elsewhere)).encode()


def _page(whole: Json, main: str, failures: int, elsewhere: int) -> str:
    style = page_style() + (_PAGE / "report.css").read_text("utf-8")
    script = page_script(say.words()) + (_PAGE / "report.js").read_text("utf-8")
    policy = (
        f"default-src 'none'; style-src {_digest(style)}; script-src {_digest(script)}; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    )
    engine = f"{say.text(whole['engine']['name'])} {say.text(whole['engine']['version'])}"
    asked_elsewhere = whole.get("house_rules", {}).get("asked", False)
    links = "".join(
        f'<li><a href="#{target}">{name}</a></li>'
        for target, name in (
            ("summary", "Summary"),
            ("failures", f"Failures ({failures})"),
            *([("house-rules", f"House rules ({elsewhere})")] if asked_elsewhere else []),
            ("not-observed", "Not observed"),
            ("repeat", "Repeat the run"),
        )
    )
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<link rel="icon" href="data:,">\n'
        f"<title>{engine}: Bauernschnapsen conformance report</title>\n"
        f"<style>{style}</style>\n</head>\n<body>\n"
        '<a class="skip" href="#main">Skip to the report</a>\n'
        f'<header><div class="page bar"><div><h1>{engine}</h1>'
        f"<p>Bauernschnapsen conformance report, {say.text(whole['issued'])}</p></div>"
        f"{switch_element()}</div></header>\n"
        f'<div class="page"><nav aria-label="Contents"><ul>{links}</ul></nav>\n'
        f'<main id="main" tabindex="-1">{main}</main>\n'
        f"<footer>bauernschnapsen {say.text(whole['suite']['version'])}, suite "
        f"<code>{say.text(whole['suite']['digest'])}</code></footer></div>\n"
        f"<script>{script}</script>\n</body>\n</html>\n"
    )


def _digest(content: str) -> str:
    """The source expression that allows exactly this content and nothing else."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()}'"


# --------------------------------------------------------------------------- summary


def _summary(whole: Json) -> Iterator[str]:
    yield '<h2 id="h-summary">Summary</h2>'
    yield f'<p class="result">{_result(whole)}</p>'
    engine, adapter = whole["engine"], whole["adapter"]
    language = f", {engine['language']}" if engine.get("language") else ""
    asked = "other seats and suits than written, in shuffled order" if whole["blind"] else (
        "other seats than written, in order"
    )  # fmt: skip
    facts = [
        ("Engine", f"{engine['name']} {engine['version']}{language}"),
        ("Adapter", f"{adapter['name']} {adapter['version']}"),
        ("Rules", whole["profile"]["ruleset"]),
        ("Asked", f"{asked}; seed {whole['seed']}"),
        ("Verdicts", _said(whole["counts"]) or "nothing asked"),
    ]
    if whole["only"]:
        facts.append(("Selection", f"{', '.join(whole['only'])}; a selection certifies nothing"))
    if "house_rules" in whole:
        facts.append(("House rules", " ".join(house_rule_lines(whole["house_rules"])).strip()))
    if whole["shard"]:
        facts.append(("Part", f"shard {whole['shard']} of a run"))
    if whole["faults"]:
        facts.append(("Faults", counted(whole["faults"], "fault") + " of the adapter"))
    shown = "".join(f"<dt>{name}</dt><dd>{say.text(value, 600)}</dd>" for name, value in facts)
    yield f'<dl class="facts">{shown}</dl><div class="tables">'
    levels = [
        (
            f"{level.value} {level.title}",
            _reached(whole["levels"][level.title]["reached"]),
            whole["levels"][level.title]["counts"],
        )
        for level in Level
    ]
    yield _table("Levels", "Level", levels)
    chapters = [
        (chapter, None, tally.counts(inside))
        for chapter, inside in tally.by_chapter(whole["results"]).items()
    ]
    yield f"{_table('Chapters', 'Chapter', chapters)}</div>"
    remarks = [f"Known failures: {problem}" for problem in whole["known_failures"]]
    remarks += tally.unsupported_lines(whole["results"])
    remarks += whole["notes"]
    if remarks:
        yield f"<ul>{''.join(f'<li>{say.text(one, 600)}</li>' for one in remarks)}</ul>"


def _result(whole: Json) -> str:
    reached = [level for level in Level if whole["levels"][level.title]["reached"]]
    named = ", ".join(f"{level.value} {level.title}" for level in reached) or "none"
    if whole["stopped"] is not None:
        return f'<span class="bad">✗ Stopped: {say.text(whole["stopped"])}</span>'
    kind, word = ("good", "✓ Conforming") if whole["conforming"] else ("bad", "✗ Not conforming")
    return f'<span class="{kind}">{word}</span>; levels reached: {named}'


def _reached(reached: bool) -> str:
    return '<span class="good">✓ reached</span>' if reached else "– not reached"


def _said(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{counts[verdict]} {verdict}" for verdict in _ORDER if verdict in counts)


def _table(
    caption: str, first: str, rows: Sequence[tuple[str, str | None, Mapping[str, int]]]
) -> str:
    """A table of counts; columns without a count are left out."""
    present = [verdict for verdict in _ORDER if any(verdict in counts for *_, counts in rows)]
    with_state = any(state is not None for _, state, _ in rows)
    head = f'<th scope="col">{first}</th>' + ('<th scope="col">State</th>' if with_state else "")
    head += "".join(f'<th scope="col" class="number">{verdict.value}</th>' for verdict in present)
    lines = []
    for name, state, counts in rows:
        cells = f'<th scope="row">{say.text(name)}</th>' + (f"<td>{state}</td>" if state else "")
        cells += "".join(f'<td class="number">{counts.get(verdict, 0)}</td>' for verdict in present)
        lines.append(f"<tr>{cells}</tr>")
    return (
        f'<div class="scroll" role="region" aria-label="{caption}" tabindex="0"><table>'
        f"<caption>{caption}</caption><thead><tr>{head}</tr></thead>"
        f"<tbody>{''.join(lines)}</tbody></table></div>"
    )


# --------------------------------------------------------------------------- the rest


def _failures(
    failing: Sequence[Judgement],
    report: Report,
    rules: Mapping[str, Rule],
    repeat: Repeat,
    most: int,
) -> Iterator[str]:
    yield f'<h2 id="h-failures">Failures ({len(failing)})</h2>'
    if not failing:
        yield "<p>Nothing that was asked has failed.</p>"
        return
    yield _FOLD
    for number, judgement in enumerate(failing[:most], start=1):
        yield failure_section(number, judgement, rules, report.ruleset, repeat)
    yield from _in_short(failing[most:])


def _elsewhere(
    failing: Sequence[tuple[Table, Judgement]],
    report: Report,
    rules: Mapping[str, Rule],
    repeat: Repeat,
    most: int,
    *,
    before: int,
) -> Iterator[str]:
    """The section of other house rules, if they were asked; `before`: failures told already."""
    house = report.house_rules
    if house is None or house.reason:
        return
    told = [f'<h2 id="h-house-rules">Failures under other house rules ({len(failing)})</h2>']
    if not failing:
        told.append("<p>Nothing that was asked under other house rules has failed.</p>")
    elif not before:
        told.append(_FOLD)
    again = replace(repeat, house_rules=True)
    for number, (table, judgement) in enumerate(failing[:most], start=before + 1):
        under = _under(judgement, table)
        told.append(failure_section(number, judgement, rules, table.ruleset, again, under=under))
    told += _in_short([judgement for _, judgement in failing[most:]])
    yield (
        '<section id="house-rules" aria-labelledby="h-house-rules">' + "".join(told) + "</section>"
    )


def _under(judgement: Judgement, table: Table) -> str:
    """The house rules a scenario was asked under: as data, and what they say."""
    rules = under_of(judgement.item)
    said = "".join(f" {say.text(one, 600)}" for one in what_is_said(rules, table.ruleset))
    return f"<p>House rule: <code>{say.text(flow(rules), 600)}</code>{said}</p>"


def _in_short(rest: Sequence[Judgement]) -> Iterator[str]:
    """What is not told in full."""
    if not rest:
        return
    yield f"<h3>{len(rest)} more, in short</h3><ul>"
    for judgement in rest[:_MOST_LISTED]:
        first = judgement.differences[0] if judgement.differences else None
        item = judgement.item
        title = item.title if isinstance(item, Scenario) else ""
        reason = say.text(judgement.reason)
        if not reason and first is not None:
            reason = say.place(first)
        yield (
            f"<li>{judgement.verdict.value} <code>{say.text(item.id)}</code> "
            f"{say.text(title)} <small>{reason}</small></li>"
        )
    yield "</ul>"
    if len(rest) > _MOST_LISTED:
        yield f"<p>And {len(rest) - _MOST_LISTED} more; the JSON report has them all.</p>"


def _not_observed(whole: Json) -> Iterator[str]:
    yield '<h2 id="h-not-observed">Not observed</h2>'
    if not whole["not_observed"] and not whole["not_shown"]:
        yield "<p>The engine showed everything that scenarios needed.</p>"
        return
    if whole["not_observed"]:
        rows = "".join(
            f'<tr><th scope="row">{say.text(reason)}</th><td class="number">{count}</td></tr>'
            for reason, count in list(whole["not_observed"].items())[:_MOST_LISTED]
        )
        yield (
            '<div class="scroll" role="region" aria-label="Not supported or not shown" '
            'tabindex="0"><table><caption>Not supported or not shown</caption><thead><tr>'
            '<th scope="col">Reason</th><th scope="col" class="number">Scenarios</th></tr></thead>'
            f"<tbody>{rows}</tbody></table></div>"
        )
    if whole["not_shown"]:
        named = ", ".join(f"<code>{say.text(place)}</code>" for place in whole["not_shown"])
        yield f"<p>Never shown in a view: {named}.</p>"
