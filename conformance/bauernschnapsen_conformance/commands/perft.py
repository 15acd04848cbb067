"""`bauernschnapsen perft`: count legal lines of play, here or in an engine."""

from __future__ import annotations

import click

from ..counting import counted


@click.command("perft")
@click.option("--case", "wanted", metavar="ID", help="Count only this case of spec/perft.")
@click.option(
    "--depth",
    type=click.IntRange(1, 20),
    metavar="N",
    help="Play N cards; default: all, or 6 with ADAPTER.",
)
@click.option("--divide", is_flag=True, help="Split the last number by the first card.")
@click.argument("adapter", nargs=-1)
def command(wanted: str | None, depth: int | None, divide: bool, adapter: tuple[str, ...]) -> int:
    """Count the legal lines of play of fixed deals and compare them with spec/perft.

    \b
    Examples:
      bauernschnapsen perft                                 the reference engine, every case
      bauernschnapsen perft --case perft.normal.1 --divide --depth 4
      bauernschnapsen perft --depth 8 -- ./my-adapter       an engine
    """
    from ..corpus.perft import find_perft, load_perft

    cases = [find_perft(wanted)] if wanted else load_perft()
    if adapter:
        return _ask_engine(cases, depth or 6, divide, adapter)
    from bauernschnapsen.notation import format_card
    from bauernschnapsen.perft import count_lines
    from bauernschnapsen.perft import divide as divided

    wrong = 0
    for case in cases:
        counts = count_lines(case.position(), depth)
        expected = list(case.lines[: len(counts) if depth is None else depth])
        right = counts == (list(case.lines) if depth is None else expected)
        wrong += not right
        click.echo(f"{case.id}: {' '.join(map(str, counts))}{'' if right else '  WRONG'}")
        if not right:
            click.echo(f"  expected {' '.join(map(str, expected))}")
        if divide:
            for card, count in divided(case.position(), depth or len(counts)).items():
                click.echo(f"  {format_card(card)} {count}")
    return 1 if wrong else 0


def _ask_engine(cases: list, depth: int, divide: bool, adapter: tuple[str, ...]) -> int:  # type: ignore[type-arg]
    from bauernschnapsen.ruleset import load_ruleset

    from ..adapter import AdapterCommand, AdapterError, Session
    from ..perft import lines_of_engine
    from .running import tell

    wrong = 0
    by_ruleset: dict[str, list] = {}  # type: ignore[type-arg]
    for case in cases:
        by_ruleset.setdefault(case.ruleset, []).append(case)
    for ruleset, members in by_ruleset.items():
        try:
            with Session(AdapterCommand(adapter), rules=load_ruleset(ruleset)) as session:
                session.start()
                for case in members:
                    seats = len(case.deal["hands"])
                    if seats not in session.hello.capabilities.players:
                        click.echo(f"{case.id}: not asked, the engine has no deals for {seats}")
                        continue
                    plies = lines_of_engine(case, session, depth)
                    wrong += not _compare(case, plies, divide)
        except AdapterError as error:
            tell(error)
            return error.exit_code
    return 1 if wrong else 0


def _compare(case: object, plies: list, divide: bool) -> bool:  # type: ignore[type-arg]
    """Print an engine's numbers; where one is wrong, its first line that counts differently."""
    from bauernschnapsen.notation import Action, cards_in, parse_card
    from bauernschnapsen.play import legal_cards
    from bauernschnapsen.position import PLAY
    from bauernschnapsen.table import apply

    from ..corpus.perft import PerftCase

    assert isinstance(case, PerftCase)
    counts = [sum(ply.values()) for ply in plies]
    while counts and not counts[-1]:
        counts.pop()
    right = counts == list(case.lines[: len(plies)])
    click.echo(f"{case.id}: {' '.join(map(str, counts))}{'' if right else '  WRONG'}")
    if not right:
        click.echo(f"  expected {' '.join(map(str, case.lines[: len(plies)]))}")
        for line, count in ((line, count) for ply in plies for line, count in ply.items()):
            position = case.position()
            for _, card in line:
                assert position.turn is not None
                position = apply(position, position.turn, Action("play", parse_card(card)))
            due = len(cards_in(legal_cards(position))) if position.phase == PLAY else 0
            if due != count:
                shown = " ".join(f"{seat} {card}" for seat, card in line) or "the start"
                may_be = counted(count, "card may be", "cards may be")
                click.echo(f"  after {shown}: {may_be} played, expected {due}")
                break
    if divide and plies:
        shares: dict[str, int] = {}
        for line, count in plies[-1].items():
            if line:
                shares[line[0][1]] = shares.get(line[0][1], 0) + count
        for card, count in shares.items():
            click.echo(f"  {card} {count}")
    return right
