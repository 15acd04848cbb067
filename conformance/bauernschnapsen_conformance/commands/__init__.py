"""The command line: one module per command, imported only when that command runs.

A command is a module of this package, listed in `COMMANDS`, whose `command` is a `click.Command`.
Its callback returns an exit code, or None for 0:

    0 as expected; 1 non-conforming; 2 usage, or bad data in the suite or a file given;
    3 the adapter did not start or speaks no common protocol; 4 stopped by breaker or interrupt

It may raise SpecError or a click exception: `main` turns either into one line on stderr.
"""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module

import click

import bauernschnapsen
from bauernschnapsen.errors import SpecError, did_you_mean, printable, quoted

EXIT_USAGE = 2
EXIT_INTERRUPTED = 4
_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)


@dataclass(frozen=True, slots=True)
class CommandEntry:
    """Where a command lives and what `--help` says about it without importing it."""

    module: str
    summary: str


# In the order of --help: first what most people come for. The summaries are here, not in the
# modules, so that --help imports none of them.
COMMANDS: dict[str, CommandEntry] = {
    "certify": CommandEntry("certify", "Test an engine through its adapter and certify it."),
    "doctor": CommandEntry("doctor", "First-day diagnosis of an adapter, step by step."),
    "identify": CommandEntry("identify", "Find out which house rules an engine plays."),
    "explain": CommandEntry("explain", "Print a rule and the scenarios that witness it."),
    "show": CommandEntry("show", "Draw a scenario: its deal, its steps, its wire requests."),
    "check": CommandEntry("check", "Validate and lint rules, rulesets and scenarios."),
    "serve": CommandEntry("serve", "Run the reference engine as an adapter."),
    "fuzz": CommandEntry("fuzz", "Play random deals against an engine and shrink differences."),
    "perft": CommandEntry("perft", "Count the ways a deal can be played."),
    "diff": CommandEntry("diff", "Say how two rulesets differ."),
    "rulebook": CommandEntry("rulebook", "Print a ruleset as a rulebook, in HTML or PDF."),
    "export": CommandEntry("export", "Write every scenario with its expected views as JSON."),
    "verify-certificate": CommandEntry("verify_certificate", "Re-run what a certificate claims."),
    "merge": CommandEntry("merge", "Join the results of runs that were split."),
    "new": CommandEntry("new", "Start a scenario or a ruleset from a template."),
    "baseline": CommandEntry("baseline", "Freeze a ruleset's outcomes, or compare with them."),
    "mutants": CommandEntry("mutants", "Test the suite itself with engines that break one rule."),
}


class LazyGroup(click.Group):
    """A group that knows its commands from `COMMANDS` and imports one only to run it."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """Names of the commands, in the order of the table."""
        return list(COMMANDS)

    def get_command(
        self,
        ctx: click.Context,  # noqa: ARG002
        cmd_name: str,
    ) -> click.Command | None:
        """The command itself, its module imported; None if there is none of that name."""
        if cmd_name not in COMMANDS:
            return None
        module = import_module(f"{__name__}.{COMMANDS[cmd_name].module}")
        command = module.command
        if not isinstance(command, click.Command):
            raise TypeError(f"{module.__name__}.command is not a click command")
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Like click's, with a hint at the command that was probably meant."""
        name = args[0]
        if not ctx.resilient_parsing and not name.startswith("-"):
            known = self.list_commands(ctx)
            if name not in known:
                hint = did_you_mean(name, known) or "'bauernschnapsen --help' lists the commands"
                raise click.UsageError(f"there is no command {quoted(name)} ({hint})")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list in --help, from the table alone."""
        rows = [(name, COMMANDS[name].summary) for name in self.list_commands(ctx)]
        if rows:
            with formatter.section("Commands"):
                formatter.write_dl(rows)


EPILOG = """\b
Examples:
  bauernschnapsen certify -- ./my-adapter
  bauernschnapsen explain play.beat
  bauernschnapsen COMMAND --help
"""


@click.command(
    cls=LazyGroup,
    name="bauernschnapsen",
    epilog=EPILOG,
    no_args_is_help=False,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(bauernschnapsen.__version__, message="%(prog)s %(version)s")
@click.pass_context
def cli(ctx: click.Context) -> None:
    """Rules of Bauernschnapsen: certify engines, read the rules, check house rules."""
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return the exit code. Bad input costs one line, never a traceback."""
    for stream in (sys.stdout, sys.stderr):
        # A terminal that cannot show a suit or an umlaut gets a '?', not a crash.
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    try:
        return _run(sys.argv[1:] if argv is None else list(argv))
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message(), err=True)
        return EXIT_USAGE
    except click.ClickException as error:
        _complain(_usage_line(error))
        return EXIT_USAGE
    except SpecError as error:
        _complain(str(error))
        return EXIT_USAGE
    except (click.Abort, KeyboardInterrupt):
        if sys.stderr.isatty():
            click.echo(err=True)  # after the terminal's ^C
        _complain("interrupted")
        return EXIT_INTERRUPTED
    except BrokenPipeError:
        # The reader went away (`| head`). Nobody saw the end, so this is no success.
        _forget_output()
        return EXIT_INTERRUPTED
    except OSError as error:
        # Files are opened and written with their own complaints; this is the standard output.
        if error.errno not in _FULL:
            raise
        _forget_output()
        _complain(f"the output cannot be written: {error.strerror}")
        return EXIT_USAGE


def _forget_output() -> None:
    """Keep Python from flushing at exit into an output that takes nothing any more."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _run(arguments: list[str]) -> int:
    # Not click's own `main`: it has other ideas of interrupts, closed pipes and exit codes. Only
    # the completion of shells is left to it.
    program = "bauernschnapsen"
    if "_BAUERNSCHNAPSEN_COMPLETE" in os.environ:
        cli.main(arguments, prog_name=program)
    try:
        with cli.make_context(program, arguments) as context:
            code = cli.invoke(context)
    except click.exceptions.Exit as leave:  # --help, --version, ctx.exit(CODE)
        code = leave.exit_code
    if sys.stdout is not None:  # it is None where the caller has closed it
        sys.stdout.flush()
    return code if isinstance(code, int) else 0


def _usage_line(error: click.ClickException) -> str:
    """Click's complaint as one line that also says what was probably meant, or where help is."""
    if isinstance(error, click.NoSuchOption) and error.ctx is not None:
        text = f"no such option {quoted(error.option_name)}"
        known = [one for param in error.ctx.command.get_params(error.ctx) for one in param.opts]
        hint = did_you_mean(error.option_name, [one for one in known if one.startswith("--")])
        if hint is not None and "--help" not in hint:
            return f"{text} ({hint})"
    else:
        text = " ".join(error.format_message().split())
        text = text[:1].lower() + text[1:].removesuffix(".")
    if isinstance(error, click.UsageError) and error.ctx is not None and not text.endswith(")"):
        text += f" (see '{error.ctx.command_path} --help')"
    return text


def _complain(text: str) -> None:
    click.echo(f"bauernschnapsen: {printable(text)}", err=True)
