"""Of a long stderr those lines are shown that say what went wrong, wherever they stand."""

from __future__ import annotations

import sys

import pytest

from bauernschnapsen_conformance.adapter import AdapterCommand
from bauernschnapsen_conformance.adapter.last_words import LastWords, in_a_row, telling_lines
from bauernschnapsen_conformance.commands import main
from bauernschnapsen_conformance.diagnosis import examine

NODE = """\
file:///home/me/adapter.mjs:2
const x = ;
          ^

SyntaxError: Unexpected token ';'
    at compileSourceTextModule (node:internal/modules/esm/utils:346:16)
    at ModuleLoader.moduleStrategy (node:internal/modules/esm/translators:107:18)
    at #translate (node:internal/modules/esm/loader:546:12)
    at afterLoad (node:internal/modules/esm/loader:596:29)
    at ModuleLoader.loadAndTranslate (node:internal/modules/esm/loader:601:12)
    at #createModuleJob (node:internal/modules/esm/loader:624:36)
    at #getJobFromResolveResult (node:internal/modules/esm/loader:343:34)

Node.js v20.20.2
"""
JAVAC = """\
Adapter.java:3: error: illegal start of expression
    int x = ;
            ^
1 error
error: compilation failed
"""
JAVA = (
    'Exception in thread "main" java.lang.RuntimeException: engine failed\n'
    "\tat Adapter.main(Adapter.java:4)\n"
    "Caused by: java.lang.IllegalStateException: no deck\n"
    + "\tat Engine.deal(Engine.java:2)\n" * 40
    + "\t... 1 more\n"
)
PYTHON = """\
  File "/home/me/adapter.py", line 2
    def f(:
          ^
SyntaxError: invalid syntax
"""
RUST = """\
thread 'main' panicked at src/main.rs:17:9:
index out of bounds: the len is 4 but the index is 4
note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace
"""


def kept(text: str, most: int = 1 << 16) -> str:
    words = LastWords(most)
    for start in range(0, len(text), 1000):
        words.add(text[start : start + 1000].encode())
    return words.text()


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (NODE, ["adapter.mjs:2", "const x = ;", "SyntaxError: Unexpected token"]),
        (JAVAC, ["Adapter.java:3: error: illegal start", "int x = ;"]),
        (JAVA, ["engine failed", "Caused by: java.lang.IllegalStateException: no deck"]),
        (PYTHON, ['adapter.py", line 2', "def f(:", "SyntaxError: invalid syntax"]),
        (RUST, ["panicked at src/main.rs:17:9", "index out of bounds"]),
    ],
    ids=["node", "javac", "java", "python", "rust"],
)
@pytest.mark.parametrize("most", [4, 6])
@pytest.mark.parametrize("before", [0, 60])
def test_the_error_and_its_place_are_told(
    text: str, told: list[str], most: int, before: int
) -> None:
    everything = kept("listening for requests\n" * before + text)
    lines = telling_lines(everything, most)
    for words in told:
        assert any(words in line for line in lines), lines
    assert len([line for line in lines if line != "..."]) <= most
    row = in_a_row(everything)
    assert all(words in row for words in told), row
    assert "\n" not in row
    assert " ^ " not in row


def test_the_beginning_survives_whatever_comes_after_it() -> None:
    everything = kept("FATAL: cannot load rules.dat\n" + "log\n" * 50_000, most=10_000)
    assert len(everything) < 1000
    assert telling_lines(everything, 3)[0] == "FATAL: cannot load rules.dat"
    assert "..." in everything.splitlines()
    assert kept("a\nb\n") == "a\nb"
    assert kept("") == in_a_row("") == ""


def test_what_is_left_out_is_marked() -> None:
    lines = telling_lines("\n".join(["begin", *map(str, range(9)), "error: x", "end", "y"]), 3)
    assert lines == ["...", "8", "error: x", "end", "..."]
    assert telling_lines("\n".join(map(str, range(9))), 3) == ["0", "...", "7", "8"]


PROGRAM = "import sys; sys.stderr.write(sys.argv[1]); sys.exit(1)"


def test_doctor_and_certify_show_it(capsys: pytest.CaptureFixture[str]) -> None:
    command = (sys.executable, "-S", "-c", PROGRAM, NODE)
    (finding,) = examine(AdapterCommand(command)).findings
    assert "adapter.mjs:2 / const x = ; / SyntaxError: Unexpected token ';'" in finding.text
    assert main(["certify", "--", *command]) == 3
    told = capsys.readouterr().err
    assert "  stderr: SyntaxError: Unexpected token ';'\n" in told
    assert "  stderr: const x = ;\n" in told
