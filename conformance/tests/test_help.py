"""What --help says of every option: one sentence, the default, the same in every command."""

from __future__ import annotations

from collections.abc import Iterator

import click
import pytest

from bauernschnapsen_conformance.commands import cli, main, options

ALIKE = ("jobs", "timeout_scale", "python", "known_file", "certificate_file", "badge", "as_json")
"""Options that mean exactly the same wherever they stand; of others the subject may differ."""


def commands() -> Iterator[tuple[str, click.Command]]:
    """Every command with its full name, those within `new` among them."""
    context = click.Context(cli)
    for name in cli.list_commands(context):
        command = cli.get_command(context, name)
        assert command is not None
        yield name, command
        if isinstance(command, click.Group):
            for inner in command.list_commands(context):
                found = command.get_command(context, inner)
                assert found is not None
                yield f"{name} {inner}", found


OPTIONS = [
    pytest.param(option, id=f"{name} {option.opts[0]}")
    for name, command in commands()
    for option in command.params
    if isinstance(option, click.Option)
]


@pytest.mark.parametrize("option", OPTIONS)
def test_an_option_says_one_sentence_and_its_default(option: click.Option) -> None:
    said = option.help or ""
    assert said[:1].isupper(), said
    assert said.endswith("."), said
    assert ". " not in said, said
    assert len(said) < 80, said
    if option.is_flag:
        return
    plain = option.to_info_dict()["default"]
    if plain is not None and not option.multiple:
        assert option.show_default, "its default is not shown"
    metavar = option.make_metavar(click.Context(cli))
    assert metavar not in ("TEXT", "INTEGER", "FLOAT"), f"{metavar} says nothing"
    if isinstance(option.type, click.Choice):
        assert isinstance(option.type, options.Choice), "a slip is told with what was meant"


def test_the_same_option_means_the_same_everywhere() -> None:
    seen: dict[tuple[str, bool], tuple[str, click.Option]] = {}
    compared = 0
    for command, params in ((name, one.params) for name, one in commands()):
        for option in params:
            if not isinstance(option, click.Option):
                continue
            # --json FILE writes a report beside what is printed, --json prints nothing else.
            key = (option.opts[0], option.is_flag)
            before, first = seen.setdefault(key, (command, option))
            if first is option:
                continue
            compared += 1
            assert option.metavar == first.metavar, (before, command, key)
            assert option.type.to_info_dict() == first.type.to_info_dict(), (before, command, key)
            if option.name in ALIKE:
                assert option.help == first.help, (before, command, key)
    assert compared > 15


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["certify", "--rulset", "x"], "no such option '--rulset' (did you mean '--ruleset'?)"),
        (["fuzz", "--executor", "dsk", "--", "x"], "(did you mean 'dask'?)"),
        (["show", "play.turn", "--starts", "del"], "(did you mean 'deal'?)"),
        (["new", "scenario", "play.x", "--rule", "play.turn", "--by", "X"], "--help'"),
        (["perft", "--dept", "3"], "no such option '--dept' (did you mean '--depth'?)"),
        # Nothing is like it: no guess, least of all '--help'.
        (["fuzz", "--deals", "3"], "no such option '--deals' (see 'bauernschnapsen fuzz --help')"),
    ],
)
def test_a_slip_is_told_with_what_was_probably_meant(
    capsys: pytest.CaptureFixture[str], words: list[str], told: str
) -> None:
    assert main(words) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1
    assert told in captured.err


@pytest.mark.slow
def test_a_scenario_that_is_not_there_is_told_with_one_that_is(
    capsys: pytest.CaptureFixture[str],
) -> None:
    reference = "bauernschnapsen_conformance.reference_adapter:ReferenceAdapter"
    for wrong, right in (("plya.*", "play.*"), ("play.heart-trik", "play.heart-trick")):
        assert main(["certify", "--only", wrong, "--python", reference]) == 2
        told = f"no scenario is called '{wrong}' (did you mean '{right}'?)"
        assert told in capsys.readouterr().err
