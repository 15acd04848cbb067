"""Options that several commands have, each the same wherever it stands; no command itself."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from bauernschnapsen.errors import did_you_mean

Decorator = Callable[[Any], Any]
FILE = click.Path(path_type=Path)


class Choice(click.Choice):  # type: ignore[type-arg]  # generic in new versions of click only
    """One of several words; a slip is told with the word that was probably meant."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the word; BadParameter for any other."""
        try:
            return super().convert(value, param, ctx)
        except click.BadParameter as error:
            hint = did_you_mean(str(value), map(str, self.choices))
            if hint is None:
                raise
            told = error.message.removesuffix(".")
            raise click.BadParameter(f"{told} ({hint})", ctx, param) from None


def file(*names: str, said: str, **more: Any) -> Decorator:
    """A file to read or to write."""
    return click.option(*names, type=FILE, metavar="FILE", help=said, **more)


def output(said: str) -> Decorator:
    """The file or folder where the result goes."""
    return click.option("--output", "-o", type=FILE, metavar="PATH", help=said)


def ruleset(said: str = "Rules to play by.") -> Decorator:
    """A ruleset by name, or a file of one's own."""
    return click.option(
        "--ruleset", default="pagat", show_default=True, metavar="NAME|FILE", help=said
    )


def seed(said: str) -> Decorator:
    """What makes a run repeatable."""
    return click.option("--seed", type=int, metavar="N", help=said)


ruleset_of_engine = ruleset("Rules the engine plays by.")
python = click.option(
    "--python",
    metavar="MODULE:FACTORY",
    help="Ask a Python engine in this process instead of ADAPTER.",
)
jobs = click.option(
    "--jobs",
    default=1,
    show_default=True,
    metavar="N",
    help="Let N processes of the adapter work at once.",
)
timeout_scale = click.option(
    "--timeout-scale",
    default=1.0,
    show_default=True,
    metavar="FACTOR",
    help="Multiply all deadlines, for a slow engine.",
)
known_failures = file("--known-failures", "known_file", said="TOML list of what is known to fail.")
as_json = click.option("--json", "as_json", is_flag=True, help="Print JSON, for a program to read.")
certificate = file("--certificate", "certificate_file", said="Write the certificate to FILE.")
badge = file(
    "--badge", said="Write a badge to FILE.svg or FILE.json; may be repeated.", multiple=True
)
