"""`bauernschnapsen new`: start a scenario or a ruleset from a template."""

from __future__ import annotations

from pathlib import Path

import click

from . import options


@click.group("new")
def command() -> None:
    """Start a scenario or a ruleset from a template.

    \b
    Examples:
      bauernschnapsen new scenario claims.false.too-early --rule claims.moment
      bauernschnapsen new ruleset my-house
    """


@command.command("scenario")
@click.argument("scenario_id", metavar="ID")
@click.option(
    "--rule",
    "rules",
    multiple=True,
    required=True,
    metavar="RULE",
    help="Rule that it shows; one to three times.",
)
@click.option("--contract", metavar="NAME", help="Start after the auction, in this contract.")
@click.option(
    "--by",
    "declarer",
    default="N",
    show_default=True,
    type=options.Choice(list("NESW")),
    help="Declarer of that contract.",
)
@click.option(
    "--deal", "number", type=int, metavar="N", help="Number of the deal; default: a random one."
)
@options.ruleset("Rules it belongs to.")
@options.file("--file", "target", said="Write it to FILE; default: print it.")
def scenario(
    scenario_id: str,
    rules: tuple[str, ...],
    contract: str | None,
    declarer: str,
    number: int | None,
    ruleset: str,
    target: Path | None,
) -> int:
    """Scaffold a scenario file: a whole deal, the rules it cites, and what is left to say.

    \b
    Example:
      bauernschnapsen new scenario play.beat.my-third-hand --rule play.beat --contract normal
    """
    from ..corpus.scaffold import scaffold_scenario
    from .given import refuse_options

    if contract is None:
        refuse_options(("declarer",), "without --contract the deal begins with the auction")
    text = scaffold_scenario(scenario_id, rules, contract, declarer, number, ruleset)
    _give(text, target)
    return 0


@command.command("ruleset")
@click.argument("name")
@click.option(
    "--extends",
    default="pagat",
    show_default=True,
    metavar="NAME|FILE",
    help="Ruleset to start from.",
)
@options.file("--file", "target", said="Write it to FILE; default: print it.")
def ruleset(name: str, extends: str, target: Path | None) -> int:
    """Scaffold a ruleset of one's own: a short file that extends another.

    \b
    Example:
      bauernschnapsen new ruleset my-house --file my-house.yaml
    """
    from ..corpus.scaffold import scaffold_ruleset

    folder = target.parent if target is not None else None
    _give(scaffold_ruleset(name, extends, folder), target)
    return 0


def _give(text: str, target: Path | None) -> None:
    if target is None:
        click.echo(text, nl=False)
        return
    if target.exists():
        raise click.UsageError(f"{target} exists already; nothing was written")
    try:
        target.write_text(text, encoding="utf-8")
    except OSError as error:
        raise click.UsageError(f"cannot write {target}: {error.strerror}") from None
    click.echo(f"wrote {target}; now fill it in and run: bauernschnapsen check {target}")
