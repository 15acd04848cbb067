"""Options that were given on the command line, so that one without effect is never swallowed."""

from __future__ import annotations

import click
from click.core import ParameterSource


def refuse_options(names: tuple[str, ...], reason: str) -> None:
    """Raise a usage error naming the options among `names` (of parameters) that were given."""
    context = click.get_current_context()
    given = [
        parameter.opts[0]
        for parameter in context.command.params
        if parameter.name in names
        and context.get_parameter_source(parameter.name) is ParameterSource.COMMANDLINE
    ]
    if given:
        has = "has" if len(given) == 1 else "have"
        raise click.UsageError(f"{' and '.join(given)} {has} no effect here: {reason}")
