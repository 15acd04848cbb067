"""Steps of a scenario in a form that is none are told in one sentence, with the right form."""

from __future__ import annotations

from pathlib import Path

import pytest

from bauernschnapsen_conformance.corpus.read import read_scenario_file

HEAD = """\
topic: Steps
deals:
  four: {dealer: W, N: KS QS TS TD JD, E: AC TC KC QC JC, S: AS AH TH KH QH, W: JS JH AD KD QD}
scenarios:
  - id: play.steps.example
    title: Steps are written in one way
    why: {en: It is one.}
    rules: [play.turn]
"""
NO_STEP = "this is no step of a scenario"
FORMS = "an action is a text such as N play AH, and a mapping has the key expect or refused"


def faults(tmp_path: Path, *steps: str, deals: bool = False) -> list[str]:
    margin = " " * (8 if deals else 4)
    lines = [f"{margin}deal: four", f"{margin}steps:", *(f"{margin}  - {step}" for step in steps)]
    if deals:
        lines = ["    play_on:", lines[0].replace("    deal", "  - deal"), *lines[1:]]
    file = tmp_path / "steps.yaml"
    file.write_text(HEAD + "\n".join(lines) + "\n", encoding="utf-8")
    return [str(error) for error in read_scenario_file(file, "steps.yaml")[1]]


@pytest.mark.parametrize("deals", [False, True])
@pytest.mark.parametrize(
    ("step", "hint"),
    [
        ("{seat: N, action: play KS}", "write it as - N play KS"),
        ("N: play KS", "write it as - N play KS"),
        ("[N, pass]", "write it as - N pass"),
        ("forehand: play KS", FORMS),
        ("{because: play.turn}", FORMS),
        ("{seat: N, play: KS, why: so}", FORMS),
        ("{}", FORMS),
        ("[[N], {pass: 3}]", FORMS),
    ],
)
def test_another_form_gets_one_fault_with_the_right_form(
    step: str, hint: str, deals: bool, tmp_path: Path
) -> None:
    (fault,) = faults(tmp_path, "expect: {to_act: N}", step, deals=deals)
    where = "scenarios[0].play_on[0].steps[1]" if deals else "scenarios[0].steps[1]"
    assert f"{where}: {NO_STEP} ({hint})" in fault
    assert f"steps.yaml:{13 if deals else 12}:" in fault


def test_other_faults_are_told_beside_it(tmp_path: Path) -> None:
    told = faults(tmp_path, "{seat: N, action: play KS}", "N: pass", "expect: {turn: N}", "X pass")
    assert [NO_STEP in fault for fault in told].count(True) == 2
    assert any("steps[2].expect.turn: unknown field" in fault for fault in told)
    assert any("steps[3]: expected a seat and an action" in fault for fault in told)
    assert len(told) == 4


def test_a_step_that_is_no_action_says_what_it_may_mean(tmp_path: Path) -> None:
    card, bid = faults(tmp_path, "expect: {to_act: N}", "N play 10S", "N bid Gang")
    assert "'10S' is no card" in card
    assert "(did you mean 'play TS'?)" in card
    assert "(did you mean 'bid gang'?)" in bid
