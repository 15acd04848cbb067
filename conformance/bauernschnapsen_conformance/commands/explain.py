"""`bauernschnapsen explain`: one rule, option or contract, with its sources and scenarios."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ..counting import counted
from . import options

if TYPE_CHECKING:
    from bauernschnapsen.ruleset import Resolved

    from ..corpus.options import Catalogue, Field
    from ..corpus.rules import Rule

_MOST_EXAMPLES = 8


@click.command("explain")
@click.argument("name", metavar="RULE|OPTION|CONTRACT")
@click.option(
    "--language", default="en", show_default=True, metavar="CODE", help="Language of the text."
)
@options.ruleset("Rules of the table at which it is said.")
def command(name: str, language: str, ruleset: str) -> int:
    """Print a rule and the scenarios that witness it; of an option, all its values.

    \b
    Examples:
      bauernschnapsen explain play.beat
      bauernschnapsen explain play.beat --ruleset ukrainian
      bauernschnapsen explain options.claim_by
      bauernschnapsen explain contracts.bettler.value
      bauernschnapsen explain plauderer
    """
    from bauernschnapsen.errors import SpecError, did_you_mean
    from bauernschnapsen.ruleset import load_ruleset

    from ..corpus.options import load_options
    from ..corpus.rules import load_rules
    from ..corpus.wording import glossary

    if language not in glossary()["languages"]:
        known = ", ".join(glossary()["languages"])
        raise click.UsageError(f"--language is one of {known}")
    resolved = load_ruleset(ruleset)
    rules = load_rules()
    if name in rules:
        return _explain_rule(rules[name], resolved, language)
    catalogue = load_options()
    bare = name.removeprefix("contracts.")
    if bare in resolved["contracts"]:
        return _explain_contract(bare, resolved, catalogue, language)
    field = next(
        (
            found
            for path in (name, f"options.{name}", f"contracts.*.{name}")
            if (found := catalogue.field(path)) is not None
        ),
        None,
    )
    if field is not None:
        return _explain_field(field, name, resolved, catalogue, language)
    inside = [known for known in rules if known.startswith(name.rstrip(".") + ".")]
    options = [path.removeprefix("options.") for path in catalogue.fields]
    number = counted(len(rules), "rule stands", "rules stand")
    hint = did_you_mean(name, [*rules, *options]) or f"{number} in spec/rules"
    if inside:
        hint = f"rules of that chapter: {', '.join(inside[:40])}"
    raise SpecError(f"there is no rule, option or contract {name[:80]!r}", hint=hint)


def _explain_rule(rule: Rule, ruleset: Resolved, language: str) -> int:
    from ..corpus import load_corpus
    from ..corpus.wording import rule_note, rule_text

    click.echo(f"{rule.id}  ({rule.kind}, {rule.status}; {', '.join(rule.sources)})")
    if not rule_text(rule, ruleset):
        other = _where_it_speaks(rule)
        under = "" if other is None else f", but under {other['ruleset']}:"
        click.echo(f"  Says nothing under {ruleset['ruleset']}{under or '.'}")
        ruleset = other or ruleset
    said = rule_text(rule, ruleset, language) or rule_text(rule, ruleset)
    if said:
        click.echo(f"  {said}")
    note = rule_note(rule, ruleset, language) or rule_note(rule, ruleset)
    if note:
        click.echo(f"  Note: {note}")
    rationale = rule.data.get("rationale", {})
    if rationale:
        click.echo(f"  Ruling: {rationale.get(language) or rationale.get('en')}")
    for field, texts in rule.data.get("text_by", {}).items():
        click.echo(f"  Depends on {field}: {', '.join(texts)}")
    corpus = load_corpus()
    scenarios = [scenario for scenario in corpus.scenarios if rule.id in scenario.rules]
    positions = sum(rule.id in case.rules for case in corpus.positions)
    click.echo(f"{counted(len(scenarios), 'scenario')}, {counted(positions, 'position')}")
    for scenario in scenarios:
        click.echo(f"  {scenario.id}: {scenario.title}")
    return 0


def _where_it_speaks(rule: Rule) -> Resolved | None:
    """Return the first shipped ruleset under which a rule says something, or None."""
    from bauernschnapsen.ruleset import load_ruleset, shipped_rulesets

    from ..corpus.wording import rule_text

    shipped = (load_ruleset(name) for name in shipped_rulesets())
    return next((one for one in shipped if rule_text(rule, one)), None)


def _explain_contract(name: str, ruleset: Resolved, catalogue: Catalogue, language: str) -> int:
    from ..corpus.wording import contract_name

    here = language if language == "de" else "en"
    played = "" if ruleset["contracts"][name]["played"] else ", not played"
    click.echo(f"{name}  ({contract_name(name, here, ruleset)}, {ruleset['ruleset']}{played})")
    for sentence in catalogue.about_contract(ruleset, name, here):
        click.echo(f"  {sentence}")
    for field, values in catalogue.contracts.get(name, {}).items():
        for key, sources in values.items():
            click.echo(f"  Elsewhere {field} = {key} ({', '.join(sources) or 'in no source'})")
    return 0


def _explain_field(
    field: Field, name: str, ruleset: Resolved, catalogue: Catalogue, language: str
) -> int:
    from ..corpus import load_corpus
    from ..corpus.variants import shown_by
    from ..corpus.wording import field_value, value_key

    here = language if language == "de" else "en"
    path = name if name.startswith(("options.", "contracts.")) else field.path
    now = field_value(ruleset, path)
    click.echo(f"{path}  ({field.chapter}, {field.effect})")
    click.echo(f"  {field.meaning[here]}")
    if field.because:
        click.echo(f"  {field.because[here]}")
    contract = path.split(".")[1] if path.startswith("contracts.") else "*"
    shown: dict[str, list[str]] = {}
    for one in shown_by(load_corpus().scenarios):
        same = catalogue.field(one.path) is field if contract == "*" else one.path == path
        if same and one.item not in shown.setdefault(one.key, []):
            shown[one.key].append(one.item)
    keys = list(field.values)
    if contract != "*":
        own = catalogue.contracts.get(contract, {}).get(field.name, {})
        keys = list(dict.fromkeys([*keys, value_key(now), *own]))
    for key in keys:
        here_now = "*" if value_key(now) == key else " "
        of_field = field.values[key].sources if key in field.values else ()
        sources = of_field if contract == "*" else catalogue.sources(path, key)
        click.echo(f"{here_now} {key}: {field.text(key, here, ruleset)}")
        click.echo(f"    {', '.join(sources) or 'in no source'}")
        for item in shown.get(key, [])[:_MOST_EXAMPLES]:
            click.echo(f"    {item}")
    return 0
