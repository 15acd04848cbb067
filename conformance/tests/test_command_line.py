"""The command line as a whole: quick to start, clear about mistakes, never a traceback."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module
from pathlib import Path

import click
import pytest

import bauernschnapsen
from bauernschnapsen.errors import SpecError
from bauernschnapsen_conformance import commands
from bauernschnapsen_conformance.commands import COMMANDS, CommandEntry, LazyGroup, cli, main

PROGRAM = [sys.executable, "-m", "bauernschnapsen_conformance"]
HEAVY = ("tqdm", "yaml", "jsonschema", "jsonschema_rs", "json", "hypothesis", "pytest", "asyncio")


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*PROGRAM, *arguments],
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=30,
        check=False,
    )


def available() -> list[str]:
    return LazyGroup().list_commands(click.Context(cli))


def test_version_and_help() -> None:
    assert run("--version").stdout == f"bauernschnapsen {bauernschnapsen.__version__}\n"
    shown = run("--help")
    assert shown.returncode == 0
    assert "Examples:" in shown.stdout
    for name in available():
        assert f"  {name} " in shown.stdout
        assert COMMANDS[name].summary in " ".join(shown.stdout.split())
    assert run("-h").stdout == shown.stdout
    assert run().stdout == shown.stdout
    assert shown.stdout.count("\n") < 45


def test_help_loads_no_command_and_nothing_slow() -> None:
    code = (
        "import sys; from bauernschnapsen_conformance.commands import main; main(['--help']);"
        f"found = sorted(set({HEAVY!r}) & set(sys.modules));"
        "found += [name for name in sys.modules if '_conformance.commands.' in name];"
        "sys.exit(' '.join(found) or 0)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=30, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("option", ["--help", "--version"])
def test_what_is_asked_first_loads_nothing_that_only_commands_need(option: str) -> None:
    # How long it takes is measured by the benchmarks; what makes it long is tested here.
    heavy = {
        *("yaml", "jsonschema", "jsonschema_rs", "orjson", "tqdm", "asyncio", "multiprocessing"),
        *("xml", "email", "http", "bauernschnapsen.ruleset", "bauernschnapsen_conformance.corpus"),
    }
    code = (
        "import sys\n"
        "from bauernschnapsen_conformance.commands import main\n"
        f"code = main([{option!r}])\n"
        f"print(*sorted({heavy!r} & set(sys.modules)), file=sys.stderr)\n"
        "sys.exit(code)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=30, check=False
    )
    assert (done.returncode, done.stderr) == (0, "\n")
    assert done.stdout


def test_the_table_and_the_modules_agree() -> None:
    folder = Path(commands.__file__).parent
    there = {path.stem for path in folder.iterdir() if path.suffix in ("", ".py")}
    for name in available():
        command = import_module(f"bauernschnapsen_conformance.commands.{COMMANDS[name].module}")
        assert isinstance(command.command, click.Command)
        assert command.command.name == name
        assert command.command.get_short_help_str(200), f"{name}: --help says nothing"
    for name, entry in COMMANDS.items():
        assert entry.module == name.replace("-", "_")
        assert (name in available()) == (entry.module in there)
    public = {name for name in there if not name.startswith("_")}
    unlisted = public - {entry.module for entry in COMMANDS.values()}
    for module in unlisted:  # shared by several commands: allowed, but no command itself
        found = import_module(f"bauernschnapsen_conformance.commands.{module}")
        assert not isinstance(getattr(found, "command", None), click.Command), module


@pytest.mark.slow
def test_every_command_explains_itself() -> None:
    for name in available():
        shown = run(name, "--help")
        assert (shown.returncode, shown.stderr) == (0, "")
        assert shown.stdout.startswith(f"Usage: bauernschnapsen {name}")
        assert "Example" in shown.stdout, f"{name} --help shows at least one example"


@pytest.mark.slow
def test_every_command_refuses_an_unknown_option_in_one_line() -> None:
    for name in available():
        done = run(name, "--no-such-option")
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr.count("\n") == 1
        assert "--no-such-option" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["xyzzy"], "there is no command 'xyzzy' ('bauernschnapsen --help' lists the commands)"),
        (["--versoin"], "no such option '--versoin'"),
        (["a\nb\x1b[31m"], "there is no command 'a\N{REPLACEMENT CHARACTER}b"),
        (["x" * 10_000], "there is no command 'xxx"),
        ([""], "there is no command ''"),
    ],
)
def test_bad_usage_is_one_line_and_exit_code_2(arguments: list[str], words: str) -> None:
    done = run(*arguments)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith("bauernschnapsen: ")
    assert words in done.stderr
    assert done.stderr.count("\n") == 1
    assert len(done.stderr) < 250


# --- Commands made for these tests ----------------------------------------------------------------

PROBE = """
import click
from bauernschnapsen.errors import SpecError

@click.command("probe")
@click.argument("what")
def command(what):
    if what == "bad-data":
        raise SpecError("is wrong", "a.yaml", 3, field="deal", hint="drop\\nit")
    if what == "interrupt":
        raise KeyboardInterrupt
    if what == "usage":
        raise click.BadParameter("must be\\nshort.", param_hint="--deal")
    if what == "flood":
        for _ in range(100_000):
            click.echo("line")
    if what == "suits":
        print("\\N{BLACK HEART SUIT}")
    if what == "bug":
        raise ZeroDivisionError
    return 1 if what == "non-conforming" else None
"""


@pytest.fixture
def probe(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A program with one more command, `probe`."""
    (tmp_path / "probe_command.py").write_text(PROBE, encoding="utf-8")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    code = (
        "import sys, importlib; from bauernschnapsen_conformance import commands;"
        "sys.modules['bauernschnapsen_conformance.commands.probe'] ="
        " importlib.import_module('probe_command');"
        "commands.COMMANDS['probe'] = commands.CommandEntry('probe', 'For tests.');"
        "commands.LazyGroup.list_commands = lambda self, ctx: ['probe'];"
        "sys.exit(commands.main())"
    )
    return [sys.executable, "-c", code]


@pytest.mark.parametrize(
    ("what", "code", "stderr"),
    [
        ("fine", 0, ""),
        ("non-conforming", 1, ""),
        (
            "bad-data",
            2,
            "bauernschnapsen: a.yaml:3: deal: is wrong (drop\N{REPLACEMENT CHARACTER}it)\n",
        ),
        (
            "usage",
            2,
            "bauernschnapsen: invalid value for --deal: must be short "
            "(see 'bauernschnapsen probe --help')\n",
        ),
        ("interrupt", 4, "bauernschnapsen: interrupted\n"),
    ],
)
def test_exit_codes(probe: list[str], what: str, code: int, stderr: str) -> None:
    done = subprocess.run(
        [*probe, "probe", what], capture_output=True, encoding="utf-8", timeout=30, check=False
    )
    assert (done.returncode, done.stderr) == (code, stderr)


def test_the_command_that_was_meant_is_named(probe: list[str]) -> None:
    done = subprocess.run([*probe, "prbe"], capture_output=True, text=True, timeout=30, check=False)
    assert done.returncode == 2
    assert done.stderr == ("bauernschnapsen: there is no command 'prbe' (did you mean 'probe'?)\n")


def test_a_reader_that_goes_away_is_no_success_and_no_traceback(probe: list[str]) -> None:
    with subprocess.Popen(
        [*probe, "probe", "flood"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as child:
        assert child.stdout is not None
        assert child.stderr is not None
        assert child.stdout.readline() == "line\n"
        child.stdout.close()
        assert child.stderr.read() == ""
    assert child.returncode == 4


def test_a_terminal_without_suits_gets_a_question_mark(
    probe: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONIOENCODING", "ascii")
    done = subprocess.run(
        [*probe, "probe", "suits"], capture_output=True, text=True, timeout=30, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "?\n", "")


def test_shells_can_complete(probe: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("_BAUERNSCHNAPSEN_COMPLETE", "bash_complete")
    monkeypatch.setenv("COMP_WORDS", "bauernschnapsen pr")
    monkeypatch.setenv("COMP_CWORD", "1")
    done = subprocess.run(probe, capture_output=True, text=True, timeout=30, check=False)
    assert done.stdout == "plain,probe\n"


def test_a_bug_looks_like_one(probe: list[str]) -> None:
    done = subprocess.run(
        [*probe, "probe", "bug"], capture_output=True, text=True, timeout=30, check=False
    )
    assert done.returncode == 1
    assert "ZeroDivisionError" in done.stderr


def test_main_returns_instead_of_exiting(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    assert main(["xyzzy"]) == 2
    captured = capsys.readouterr()
    assert captured.out == f"bauernschnapsen {bauernschnapsen.__version__}\n"
    assert captured.err.count("\n") == 1


def test_a_module_without_a_command_is_a_bug_and_no_usage_error(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(COMMANDS, "broken", CommandEntry("broken", ""))
    monkeypatch.setitem(
        sys.modules, "bauernschnapsen_conformance.commands.broken", type(sys)("broken")
    )
    monkeypatch.setattr(LazyGroup, "list_commands", lambda *_: ["broken"])
    with pytest.raises(AttributeError):
        main(["broken"])


def test_errors_of_the_data_layer_reach_the_user(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(*_arguments: object, **_options: object) -> None:
        raise SpecError("is wrong", "a.yaml", 3)

    monkeypatch.setattr(cli, "invoke", fail)
    assert main([]) == 2
    assert capsys.readouterr().err == "bauernschnapsen: a.yaml:3: is wrong\n"
