"""`bauernschnapsen show`: one scenario as a table, or as the lines that go to an adapter."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from . import options

if TYPE_CHECKING:
    from bauernschnapsen.ruleset import Resolved

    from ..adapter.handshake import Capabilities
    from ..corpus import Item, Prepared
    from ..run.turning import Turning

_STARTS = {"both": ("deal", "contract"), "deal": ("deal",), "contract": ("contract",), "none": ()}
_CLAIMS = ["called", "automatic", "none"]
_OF_ENGINE = ("starts", "not_enforced")
_OF_WIRE = ("turned", "suits", "claims", "replay", *_OF_ENGINE)


@click.command("show")
@click.argument("scenario")
@click.option("--wire", is_flag=True, help="Print the raw request lines, to pipe into an adapter.")
@click.option(
    "--turned",
    default=0,
    show_default=True,
    type=click.IntRange(0, 3),
    metavar="PLACES",
    help="On the wire: turn the table clockwise.",
)
@click.option(
    "--suits",
    default="HDSC",
    show_default=True,
    metavar="DHSC",
    help="On the wire: the suits for ♥ ♦ ♠ ♣.",
)
@click.option(
    "--starts",
    type=options.Choice(list(_STARTS)),
    default="both",
    show_default=True,
    help="As for an engine with these starts.",
)
@click.option(
    "--claims",
    type=options.Choice(_CLAIMS),
    default="called",
    show_default=True,
    help="As for an engine with such claims.",
)
@click.option("--not-enforced", is_flag=True, help="As for an engine that refuses nothing.")
@click.option("--replay", is_flag=True, help="On the wire: a position as a deal, not as a query.")
@click.option(
    "--ruleset", metavar="NAME|FILE", help="Rules to play by; default: those it belongs to."
)
def command(  # noqa: PLR0913, PLR0917 - one parameter per option
    scenario: str,
    wire: bool,
    turned: int,
    suits: str,
    starts: str,
    claims: str,
    not_enforced: bool,
    replay: bool,
    ruleset: str | None,
) -> int:
    """Draw a scenario: its deal, its steps and what is stated.

    \b
    Examples:
      bauernschnapsen show play.heart-trick
      bauernschnapsen show play.heart-trick --wire | ./my-adapter
      bauernschnapsen show play.heart-trick --wire --turned 1 --suits DHSC
    """
    from bauernschnapsen.errors import SpecError
    from bauernschnapsen.ruleset import compile_rules, load_ruleset

    from ..adapter.handshake import Capabilities
    from ..corpus import Scenario, load_corpus, prepare
    from ..corpus.reference import Unplayable, home_of
    from ..run.turning import turn
    from .given import refuse_options

    if not wire:
        refuse_options(_OF_WIRE, "add --wire, to print what an adapter is sent")
    item = load_corpus().find(scenario)
    if isinstance(item, Scenario):
        refuse_options(("replay",), "a scenario is always asked as a deal")
    elif not replay:
        refuse_options(_OF_ENGINE, "the position is asked as a query; add --replay")
    resolved = load_ruleset(ruleset) if ruleset else home_of(item)
    rules = compile_rules(resolved)
    try:
        prepared = prepare(item, rules)
    except Unplayable as reason:
        raise SpecError(f"{item.id} cannot be played under these rules: {reason}") from None
    able = Capabilities(
        players=(rules.seats,),
        starts=_STARTS[starts],
        match=True,
        claims=claims,
        enforces=not not_enforced,
        legal_plays=not replay,
        trick_winner=not replay,
    )
    if wire:
        partners = rules.options.sides == "partners"
        try:
            turning = turn(turned, seats=rules.seats, partners=partners, suits=suits)
        except ValueError as error:
            raise click.UsageError(f"--suits: {error}") from None
        _print_wire(item, resolved, able, turning)
        return 0
    from ..report.deal_table import draw_deal, draw_position, draw_steps

    click.echo(f"{item.id}  [{', '.join(item.rules)}]")
    if isinstance(item, Scenario):
        click.echo(f"{item.title}\n{item.why['en']}\n")
        for number, deal in enumerate(prepared.deals):
            lines = draw_deal(deal, number + 1 if len(prepared.deals) > 1 else None, rules)
            click.echo("\n".join([*lines, *draw_steps(prepared, number)]))
        click.echo("\nStated:")
        for line in _stated(prepared):
            click.echo(f"  {line}")
    else:
        click.echo("\n".join(draw_position(item)))
    click.echo(f"\n{item.origin.file}:{item.origin.line}")
    return 0


def _stated(prepared: Prepared) -> list[str]:
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


def _print_wire(item: Item, resolved: Resolved, able: Capabilities, turning: Turning) -> None:
    """Print what a run sends: handshake, ruleset, and the scenario as this engine is asked it."""
    from bauernschnapsen.errors import SpecError
    from bauernschnapsen.ruleset import compile_rules

    from ..adapter.handshake import Suite, hello_body
    from ..adapter.launch import RULES_KEY
    from ..adapter.wire import MAX_LINE
    from ..run.plan import body_of, engine_ruleset, plan_item

    played = engine_ruleset(resolved, able.claims)
    task = plan_item(item, compile_rules(resolved), compile_rules(played), able)
    if task.done is not None:
        raise SpecError(f"{item.id} is not asked of such an engine: {task.done.reason}")
    bodies: list[dict[str, Any]] = [
        hello_body(Suite(), MAX_LINE),
        {"op": "rules", "key": RULES_KEY, "rules": played},
        {**body_of(task, turning), "rules": RULES_KEY},
    ]
    for number, body in enumerate(bodies, start=1):
        click.echo(json.dumps({"id": number, **body}, ensure_ascii=False, separators=(",", ":")))
