"""`bauernschnapsen explain`: one rule, its text, sources and scenarios."""

from __future__ import annotations

import click


@click.command("explain")
@click.argument("rule")
@click.option("--language", default="en", show_default=True, help="Language of the text.")
def command(rule: str, language: str) -> int:
    """Print a rule and the scenarios that witness it.

    \b
    Example:
      bauernschnapsen explain play.beat
    """
    from bauernschnapsen.errors import SpecError, did_you_mean

    from ..corpus import load_corpus
    from ..corpus.rules import load_rules

    rules = load_rules()
    found = rules.get(rule)
    if found is None:
        inside = [name for name in rules if name.startswith(rule.rstrip(".") + ".")]
        hint = did_you_mean(rule, rules) or f"{len(rules)} rules stand in spec/rules"
        if inside:
            hint = f"rules of that chapter: {', '.join(inside[:40])}"
        raise SpecError(f"there is no rule {rule[:80]!r}", hint=hint)
    text = found.text.get(language) or found.text.get("en", "")
    click.echo(f"{found.id}  ({found.kind}, {found.status}; {', '.join(found.sources)})")
    click.echo(f"  {text}")
    rationale = found.data.get("rationale", {})
    if rationale:
        click.echo(f"  Ruling: {rationale.get(language) or rationale.get('en')}")
    corpus = load_corpus()
    scenarios = [scenario for scenario in corpus.scenarios if rule in scenario.rules]
    positions = sum(rule in case.rules for case in corpus.positions)
    click.echo(f"{len(scenarios)} scenarios, {positions} positions")
    for scenario in scenarios:
        click.echo(f"  {scenario.id}: {scenario.title}")
    return 0
