"""What a keeper of house rules and an author of scenarios run into while they write their files."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import pytest

from bauernschnapsen.errors import SpecError
from bauernschnapsen.ruleset import load_ruleset, vary
from bauernschnapsen_conformance.commands import main
from bauernschnapsen_conformance.verifying import refuse_borrowed_name


@pytest.fixture
def told(capsys: pytest.CaptureFixture[str]) -> Any:
    """Run a command in this process: its exit code, and the lines of stderr."""

    def run(*arguments: str) -> tuple[int, list[str]]:
        code = main(arguments)
        captured = capsys.readouterr()
        assert "Traceback" not in captured.err + captured.out
        return code, captured.err.splitlines()

    return run


# ------------------------------------------------------------------- names of shipped rulesets


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["new", "ruleset", "pagat"], "new ruleset my-pagat --extends pagat"),
        (["identify", "--name", "talon", "--", "true"], "call yours my-talon"),
    ],
)
def test_a_name_of_the_suite_is_not_given_twice(
    arguments: list[str], words: str, told: Any
) -> None:
    code, lines = told(*arguments)
    assert (code, len(lines)) == (2, 1)
    assert words in lines[0]


@pytest.mark.parametrize("command", [["check"], ["rulebook"], ["certify", "--ruleset"]])
def test_a_file_called_as_a_shipped_ruleset(command: list[str], told: Any, tmp_path: Path) -> None:
    file = tmp_path / "my-house.yaml"
    file.write_text("ruleset: pagat\nextends: pagat\noptions: {target: 12}\n", encoding="utf-8")
    rest = ["--", "true"] if "--ruleset" in command else []
    code, lines = told(*command, str(file), *rest)
    assert code == 2
    assert f"{file}:1: ruleset: pagat is the name of a ruleset of the suite" in lines[0]


def test_a_certificate_of_other_rules_under_a_shipped_name() -> None:
    pagat = load_ruleset("pagat")
    refuse_borrowed_name(pagat, "certificate.json")
    other_title = copy.deepcopy(pagat) | {"title": {"en": "Rules"}}
    refuse_borrowed_name(other_title, "certificate.json")
    house = vary(pagat, {"options": {"target": 12}})
    refuse_borrowed_name(house | {"ruleset": "my-house"}, "certificate.json")
    with pytest.raises(
        SpecError, match=r"certificate\.json: profile\.ruleset: .* not those of pagat"
    ):
        refuse_borrowed_name(house, "certificate.json")
