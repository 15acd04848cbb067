"""The engine's source is mutated; scenarios and positions notice all that can be noticed."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

from bauernschnapsen.data.yaml_loader import load_yaml
from bauernschnapsen.errors import SpecError
from bauernschnapsen_conformance.teeth import source_mutation
from bauernschnapsen_conformance.teeth.source_changes import (
    code_that_counts,
    path_of,
    sampled_mutants,
    source_mutants,
)
from bauernschnapsen_conformance.teeth.source_mutation import (
    RULE_MODULES,
    Judge,
    known_survivors,
    run,
)

needs_tool = pytest.mark.skipif(
    importlib.util.find_spec("cosmic_ray") is None,
    reason="cosmic-ray, which mutates the source, comes with the extra 'mutation' only",
)


@pytest.fixture(scope="module")
def judge() -> Judge:
    return Judge()


# --------------------------------------------------------------------------- changes of no effect


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("def f(x: int | None) -> int | None: pass", "def f(x: int & None) -> int ** None: pass"),
        ("assert contract is not None", "assert contract is None"),
        ("@lru_cache(maxsize=16)\ndef f(): pass", "def f(): pass"),
        ("zip(a, b, strict=True)", "zip(a, b, strict=False)"),
        ("x = contract.kontra == 'refused'", "x = contract.kontra > 'allowed'"),
        ("x = contract.kontra == 'refused'", "x = contract.kontra is 'refused'"),
        ("x = contract.kontra != 'refused'", "x = not contract.kontra == 'refused'"),
        ("x = options.kontra_levels > 0", "x = options.kontra_levels != 0"),
        ("x = position.phase >= TRUMP", "x = position.phase == TRUMP"),
        (
            "def f():\n mode = options.claim_mode\n return mode == 'at_end'",
            "def f():\n mode = options.claim_mode\n return mode < 'automatic'",
        ),
    ],
)
def test_changes_without_effect_leave_the_same_code(one: str, other: str) -> None:
    assert code_that_counts(one) == code_that_counts(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("x = contract is None", "x = contract is not None"),
        ("x = contract.kontra == 'refused'", "x = contract.kontra < 'refused'"),
        ("x = contract.goal == 'tricks_66'", "x = contract.goal >= 'shown'"),
        ("x = a < b", "x = a <= b"),
        ("x = a and b", "x = a or b"),
        ("x = points >= 66", "x = points >= 67"),
        ("x = options.target > 24", "x = options.target != 24"),
    ],
)
def test_changes_with_an_effect_are_kept(one: str, other: str) -> None:
    assert code_that_counts(one) != code_that_counts(other)


# --------------------------------------------------------------------------- the mutants


@needs_tool
def test_the_mutants_of_a_module_are_different_and_can_be_compiled() -> None:
    mutants = list(source_mutants("claims"))
    original = path_of("claims").read_text(encoding="utf-8")
    assert len(mutants) > 80
    assert len({text for _, text in mutants}) == len(mutants)
    for mutant, text in mutants:
        compile(text, mutant.key, "exec")
        assert mutant.before != mutant.after
        assert text != original


@needs_tool
def test_a_seed_chooses_the_same_sample_again() -> None:
    one = [mutant for mutant, _ in sampled_mutants(("claims", "match"), 10, seed=3)]
    assert one == [mutant for mutant, _ in sampled_mutants(("claims", "match"), 10, seed=3)]
    assert one != [mutant for mutant, _ in sampled_mutants(("claims", "match"), 10, seed=4)]
    assert len(one) == 10


# --------------------------------------------------------------------------- judging


@pytest.mark.slow
@pytest.mark.parametrize(
    ("module", "sound", "faulty"),
    [
        ("scoring", "SIXTY_SIX = 66", "SIXTY_SIX = 65"),
        ("play", "play.winner-leads", "play.winner-leads\n    raise SystemExit"),
        ("cards", "from .notation import", "from .no_such_module import"),
    ],
)
def test_only_a_changed_engine_is_killed(
    judge: Judge, module: str, sound: str, faulty: str
) -> None:
    source = path_of(module).read_text(encoding="utf-8")
    assert sound in source
    assert judge.killed_by(module, source.replace(sound, faulty)) is not None


@pytest.mark.slow
def test_the_engine_as_it_is_survives(judge: Judge) -> None:
    assert judge.killed_by("scoring", path_of("scoring").read_text(encoding="utf-8")) is None


@pytest.mark.slow
@needs_tool
def test_a_sample_has_no_survivor_without_a_reason(judge: Judge) -> None:
    score = run(sample=25, seed=20, judge=judge)
    assert score.mutants == 25
    assert not score.survivors
    assert score.share == 1


# --------------------------------------------------------------------------- the list


def test_every_explained_survivor_is_of_a_module_of_the_engine() -> None:
    assert known_survivors()
    for change in known_survivors():
        module, _, lines = change.partition(": ")
        assert module in RULE_MODULES
        before = lines.partition("  ->  ")[0]
        assert before in path_of(module).read_text(encoding="utf-8"), change


def test_no_survivor_is_listed_twice(checkout_mutants: Path) -> None:
    listed = load_yaml(checkout_mutants / "survivors.yaml").value["survivors"]
    assert len({entry["change"] for entry in listed}) == len(listed)


def test_a_survivor_without_a_reason_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "survivors.yaml").write_text("survivors:\n  - change: 'play: a  ->  b'\n")
    monkeypatch.setattr(
        "bauernschnapsen_conformance.teeth.registry.mutants_folder", lambda: tmp_path
    )
    with pytest.raises(SpecError, match="reason"):
        source_mutation.known_survivors()


@pytest.fixture
def checkout_mutants() -> Path:
    from bauernschnapsen_conformance.teeth.registry import mutants_folder

    folder = mutants_folder()
    assert folder is not None
    return folder
