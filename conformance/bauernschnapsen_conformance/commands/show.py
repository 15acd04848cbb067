"""`bauernschnapsen show`: one scenario as a table, or as the lines that go to an adapter."""

from __future__ import annotations

import json

import click


@click.command("show")
@click.argument("scenario")
@click.option("--wire", is_flag=True, help="Print the raw request lines, to pipe into an adapter.")
@click.option(
    "--turned", default=0, metavar="PLACES", help="With --wire: turn the table clockwise."
)
@click.option(
    "--ruleset", default=None, metavar="NAME|FILE", help="Instead of the rules it belongs to."
)
def command(scenario: str, wire: bool, turned: int, ruleset: str | None) -> int:
    """Draw a scenario: its deal, its steps and what is stated.

    \b
    Examples:
      bauernschnapsen show play.heart-trick
      bauernschnapsen show play.heart-trick --wire | ./my-adapter
    """
    from bauernschnapsen.errors import SpecError
    from bauernschnapsen.ruleset import compile_rules, load_ruleset

    from ..corpus import Scenario, home_rules, load_corpus, prepare
    from ..corpus.reference import Unplayable

    item = load_corpus().find(scenario)
    resolved = load_ruleset(ruleset) if ruleset else None
    rules = compile_rules(resolved) if resolved else home_rules(item)
    try:
        prepared = prepare(item, rules)
    except Unplayable as reason:
        raise SpecError(f"{item.id} cannot be played under these rules: {reason}") from None
    if wire:
        _print_wire(prepared, turned, rules)
        return 0
    from ..report.deal_table import draw_deal, draw_position, draw_steps

    click.echo(f"{item.id}  [{', '.join(item.rules)}]")
    if isinstance(item, Scenario):
        click.echo(f"{item.title}\n{item.why['en']}\n")
        for number, deal in enumerate(prepared.deals):
            lines = draw_deal(deal, number + 1 if len(prepared.deals) > 1 else None)
            click.echo("\n".join([*lines, *draw_steps(prepared, number)]))
        click.echo("\nStated:")
        for line in _stated(prepared):
            click.echo(f"  {line}")
    else:
        click.echo("\n".join(draw_position(item)))
    click.echo(f"\n{item.origin.file}:{item.origin.line}")
    return 0


def _stated(prepared: object) -> list[str]:
    from ..corpus import Prepared

    assert isinstance(prepared, Prepared)
    lines = []
    for statement in prepared.statements:
        if statement.kind == "accepted":
            continue
        deal = f"deal {statement.deal + 1}, " if len(prepared.deals) > 1 else ""
        when = f"{deal}after step {statement.view}" if statement.view else f"{deal}at the start"
        path = ".".join(statement.path) if statement.kind != "refused" else " ".join(statement.path)
        value = json.dumps(statement.value, ensure_ascii=False)
        lines.append(f"{when}: {statement.kind} {path} {value}")
    return lines


def _print_wire(prepared: object, turned: int, rules: object) -> None:
    from bauernschnapsen.ruleset import Rules, load_ruleset

    from ..adapter.handshake import Suite, hello_body
    from ..adapter.wire import MAX_LINE
    from ..corpus import Prepared
    from ..corpus.reference import home_ruleset
    from ..turning import turn

    assert isinstance(prepared, Prepared) and isinstance(rules, Rules)
    under = prepared.item.under
    changes = {key: value for key, value in under.items() if key != "ruleset"}
    resolved = (
        home_ruleset(under.get("ruleset", rules.name), changes)
        if changes
        else load_ruleset(rules.name)
    )
    turning = turn(turned, seats=rules.seats, partners=rules.options.sides == "partners")
    bodies = [
        hello_body(Suite(), MAX_LINE),
        {"op": "rules", "key": "r1", "rules": resolved},
        {"op": "replay", "rules": "r1", "deals": turning.deals(prepared.deals)},
    ]
    for number, body in enumerate(bodies, start=1):
        click.echo(json.dumps({"id": number, **body}, ensure_ascii=False, separators=(",", ":")))
