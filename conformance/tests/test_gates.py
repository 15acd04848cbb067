"""The gates can be interrupted, keep their result, and know when it is stale."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bauernschnapsen.errors import SpecError
from bauernschnapsen_conformance import gates
from bauernschnapsen_conformance.figures import BEGIN, END, with_figures
from bauernschnapsen_conformance.teeth import parts as parts_module
from bauernschnapsen_conformance.teeth.parts import Part, parts

RESULT: dict[str, Any] = {
    "gates": {
        "stubs": {"ok": True, "best_share": 0.0216},
        "mutants play": {"ok": True, "mutants": 200, "killed": 199},
        "mutants match": {"ok": True, "mutants": 50, "killed": 50},
        "coverage": {
            "ok": True, "rules": 167, "observable": 147, "scenarios": 620, "positions": 2000,
            "holes": [],
        },
        "sole killers": {"ok": True, "sole_killers": 97},
        "option flips": {"ok": True, "flips": 500, "noticed": 500},
        "source mutation play": {"ok": True, "mutants": 110, "killed": 99, "equivalent": 10},
    }
}  # fmt: skip


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "conformance" / "mutants").mkdir(parents=True)
    (tmp_path / "conformance" / "mutants" / "play.py").write_text("one = 1\n")
    (tmp_path / "README.md").write_text("# Title\n")
    monkeypatch.setattr(gates, "checkout", lambda: tmp_path)
    return tmp_path


class Counted:
    """Parts that count how often they are run, the second of which fails at first."""

    def __init__(self) -> None:
        self.runs = {"one": 0, "two": 0}
        self.broken = True

    def parts(self) -> Iterator[Part]:
        yield Part("one", "", self.one)
        yield Part("two", "half", self.two)

    def one(self) -> dict[str, Any]:
        self.runs["one"] += 1
        return {"ok": True, "mutants": 3}

    def two(self) -> dict[str, Any]:
        self.runs["two"] += 1
        if self.broken:
            raise KeyboardInterrupt
        return {"ok": True, "survivors": []}


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> Counted:
    made = Counted()
    monkeypatch.setattr(gates, "parts", made.parts)
    return made


def silent(_: str) -> None:
    pass


def test_an_interrupted_run_goes_on_where_it_was(checkout: Path, counted: Counted) -> None:
    with pytest.raises(KeyboardInterrupt):
        gates.run_gates(say=silent)
    assert not (checkout / gates.RESULT).exists()
    counted.broken = False
    assert gates.run_gates(say=silent)
    assert counted.runs == {"one": 1, "two": 2}
    kept = json.loads((checkout / gates.RESULT).read_text())
    assert kept["digest"] == gates.subject_digest()
    assert list(kept["gates"]) == ["one", "two half"]


def test_everything_is_run_again_when_the_subject_changes(checkout: Path, counted: Counted) -> None:
    counted.broken = False
    gates.run_gates(say=silent)
    (checkout / "conformance" / "mutants" / "play.py").write_text("one = 2\n")
    gates.run_gates(say=silent)
    assert counted.runs == {"one": 2, "two": 2}
    gates.run_gates(fresh=True, say=silent)
    assert counted.runs == {"one": 3, "two": 3}


@pytest.mark.usefixtures("counted")
def test_a_partial_result_says_what_it_lacks(checkout: Path) -> None:
    assert gates.run_gates(("one",), partial=True, say=silent)
    kept = json.loads((checkout / gates.RESULT).read_text())
    assert kept["not_run"] == ["two half"]
    assert list(kept["gates"]) == ["one"]
    assert "lacks 1 part" in (gates.staleness() or "")


def test_only_some_gates_keep_no_result(checkout: Path, counted: Counted) -> None:
    assert gates.run_gates(("one",), say=silent)
    assert counted.runs == {"one": 1, "two": 0}
    assert not (checkout / gates.RESULT).exists()


def test_a_red_gate_is_told(
    checkout: Path, counted: Counted, monkeypatch: pytest.MonkeyPatch
) -> None:
    counted.broken = False
    red = Part("one", "", lambda: {"ok": False, "mutants": 2, "survivors": ["play.beat.nobody"]})
    monkeypatch.setattr(gates, "parts", lambda: iter([red]))
    lines: list[str] = []
    assert not gates.run_gates(say=lines.append)
    assert "RED  2 mutants, 1 survivors" in lines[0]
    assert json.loads((checkout / gates.RESULT).read_text())["gates"]["one"]["survivors"]


def test_stale_results_are_noticed(checkout: Path, counted: Counted) -> None:
    counted.broken = False
    assert "is missing" in (gates.staleness() or "")
    gates.run_gates(say=silent)
    assert gates.staleness() is None
    (checkout / "spec" / "rules").mkdir(parents=True)
    (checkout / "spec" / "rules" / "play.yaml").write_text("rules: []\n")
    assert "is stale" in (gates.staleness() or "")


def test_figures_go_between_the_markers_and_nowhere_else() -> None:
    text = f"# Title\n\n{BEGIN}\nold\n{END}\n\nThe rest.\n"
    once = with_figures(text, RESULT)
    assert with_figures(once, RESULT) == once
    assert once.startswith(f"# Title\n\n{BEGIN}\n| ")
    assert once.endswith(f" |\n{END}\n\nThe rest.\n")
    for cell in ("| 249 of 250 |", "| 99 of 100 (99.0%) |", "| 2.2% |", "| 620, 2000 |"):
        assert cell in once
    with pytest.raises(SpecError, match="no place for the figures"):
        with_figures("# Title\n", RESULT)


def test_stale_figures_are_noticed(checkout: Path) -> None:
    result = {**RESULT, "digest": gates.subject_digest()}
    (checkout / gates.RESULT).write_text(json.dumps(result))
    (checkout / "README.md").write_text(f"# Title\n{BEGIN}\n{END}\n")
    assert "make figures" in (gates.staleness() or "")
    gates.write_readme()
    assert gates.staleness() is None


def test_the_parts_have_names_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    # Asking pytest which tests are gates takes seconds.
    monkeypatch.setattr(
        parts_module, "_gates_tests", lambda: ("tests/a.py::one", "tests/a.py::two")
    )
    titles = [part.title for part in parts()]
    assert len(set(titles)) == len(titles)
    assert {"stubs", "coverage", "option flips", "mutants play", "fault drill"} <= set(titles)
    assert "long tests tests/a.py::two" in titles


@pytest.mark.slow
def test_an_unknown_gate_is_bad_usage(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        gates.main(["nonsense"])
    assert left.value.code == 2
    assert "there is no gate nonsense" in capsys.readouterr().err


@pytest.mark.slow
def test_a_part_is_found_by_its_title() -> None:
    """A process of its own is given a title, and finds the part without asking pytest for tests."""
    part = parts_module.part_named("mutants scoring")
    assert part is not None
    assert part.run()["ok"]
    assert parts_module.part_named("mutants nothing") is None
    test = parts_module.part_named("long tests a.py::b")
    assert test is not None
    assert (test.gate, test.name) == ("long tests", "a.py::b")
