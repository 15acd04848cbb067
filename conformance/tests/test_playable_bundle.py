"""What the playable pages consist of: words, rulesets, fields, and the bundle of modules."""

from __future__ import annotations

import math
import re
import subprocess
from pathlib import Path

import pytest
from playable_modules import NODE, Ask, needs_node
from playable_modules import ask as ask  # noqa: PLC0414 - a fixture
from playable_modules import book as book  # noqa: PLC0414 - a fixture

from bauernschnapsen.errors import SpecError
from bauernschnapsen.notation import CARDS, DEALS
from bauernschnapsen.ruleset import load_ruleset
from bauernschnapsen_conformance.corpus import home_rules, load_corpus, prepare
from bauernschnapsen_conformance.corpus.translations import load_languages
from bauernschnapsen_conformance.rulebook.model import Book
from bauernschnapsen_conformance.rulebook.play.bundle import (
    FOLDER,
    bundled,
    engine_path,
    play_script,
)
from bauernschnapsen_conformance.rulebook.play.data import TRICK_FIELDS
from bauernschnapsen_conformance.rulebook.tongue import tongue_of

# ------------------------------------------------------------------ words and rulesets


@pytest.mark.slow
@needs_node
def test_the_page_has_the_rulesets_whole(book: Book, ask: Ask) -> None:
    names = list(book.rulesets)
    assert len(names) >= 8
    for name, known in zip(names, ask("rulesets", names=names), strict=True):
        resolved = load_ruleset(name)
        assert known["options"] == resolved["options"]
        assert set(known["contracts"]) >= set(resolved["contracts"])
        for contract, fields in resolved["contracts"].items():
            written = {key: value for key, value in fields.items() if key != "name"}
            assert known["contracts"][contract] == written, (name, contract)


@pytest.mark.slow
@needs_node
def test_every_reason_of_the_engine_has_words(ask: Ask) -> None:
    engine = engine_path().read_text("utf-8")
    chapters = "notation|deal|auction|doubling|play|marriages|claims|contracts|scoring|talon"
    reasons = set(re.findall(rf'"((?:{chapters})\.[a-z-]+)"', engine))
    reasons |= {f"doubling.{step}" for step in ("kontra", "rekontra", "subkontra")}
    assert len(reasons) > 40
    for scenario in load_corpus().scenarios:
        prepared = prepare(scenario, home_rules(scenario))
        views = (view for views in prepared.expected for view in views)
        reasons |= {view["refused"] for view in views if view.get("refused")}
    assert ask("refusals", ids=sorted(reasons)) == []


def test_the_modules_use_only_words_that_there_are() -> None:
    used = set()
    for path in FOLDER.glob("*.mjs"):
        text = re.sub(
            r"^export const FIELDS = \{.*?^\};", "", path.read_text("utf-8"), flags=re.M | re.S
        )
        used |= set(re.findall(r'"((?:play|example|action)\.[a-z.-]+[a-z])"', text))
    words = tongue_of("en").interface.words
    assert len(used) > 70
    assert sorted(used - set(words)) == []
    # Keys that are put together: all of their values.
    verbs = ["pass", "kontra", "rekontra", "subkontra", "enough", "show", "redeal", "talon", "keep"]
    for key in (
        *(f"play.do.{verb}" for verb in verbs),
        *(f"play.your-turn.{phase}" for phase in ("trump", "auction", "talon", "play", "show")),
        *(f"play.pace.{pace}" for pace in ("slow", "normal", "at-once")),
        *(f"play.{kind}-{where}" for kind in ("in", "into", "full") for where in ("hand", "trick")),
        *(f"play.turn-up-{place}" for place in ("first", "second", "third")),
        *(f"example.{place}-card" for place in ("first", "second", "third")),
        *(f"action.{verb}" for verb in ("bid", "raise", "bid-without-talon", *verbs)),
        *(f"action.{said}" for said in ("no-kontra", "wait", "not-enough", "other")),
        *(f"play.{verb}" for verb in ("raise", "bid-without-talon")),
        *(f"play.field.{field}" for field in TRICK_FIELDS),
        *(f"play.step-{place}" for place in ("first", "back", "on", "last")),
    ):
        assert key in words


def test_every_language_has_all_words_of_the_playable_pages() -> None:
    for language in load_languages().published:
        interface = tongue_of(language).interface
        mine = {
            key
            for key in interface.words
            if key.startswith(("play.", "action.", "example.", "nav.play", "nav.table"))
        }
        assert len(mine) > 90
        assert sorted(mine & (interface.lacking | interface.stale)) == []


def test_the_reader_can_change_every_field_that_decides_what_may_be_played() -> None:
    text = (FOLDER / "may.mjs").read_text("utf-8")
    listed = re.search(r"FIELDS = \{(.*?)\};", text, re.DOTALL)
    assert listed is not None
    assert re.findall(r"^  (\w+):", listed[1], re.MULTILINE) == list(TRICK_FIELDS)


# ------------------------------------------------------------------ the bundle


def test_the_bundle_is_one_plain_script() -> None:
    script = play_script()
    assert not re.search(r"^(?:import|export) ", script, re.MULTILINE)
    assert script.count('modules["rules.mjs"] = ') == 1
    assert len(script.encode()) < 130_000
    assert "http" not in script.replace("http://www.w3.org/2000/svg", "")
    names = re.findall(r'^modules\["([a-z_]+\.mjs)"\] = ', script, re.MULTILINE)
    assert set(names) == {path.name for path in FOLDER.glob("*.mjs")} | {"rules.mjs"}
    assert names[-1] == "main.mjs"


@needs_node
def test_the_bundle_is_free_of_faults_of_form(tmp_path: Path) -> None:
    path = tmp_path / "play.js"
    path.write_text(play_script(), "utf-8")
    assert NODE is not None
    done = subprocess.run([NODE, "--check", path], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    "text",
    [
        'import * as all from "./a.mjs";\n',
        'import one from "./a.mjs";\n',
        "export default 1;\n",
        "export { a };\n",
        "export let a = 1;\n",
        "const a = `one\ntwo`;\n",
    ],
)
def test_what_cannot_be_bundled_is_refused(text: str) -> None:
    with pytest.raises(SpecError, match=r"cannot be bundled"):
        bundled("x.mjs", text)


def test_a_module_becomes_a_function() -> None:
    statement, imported = bundled(
        "x.mjs",
        '// Says.\nimport {\n  a, b as c,\n} from "./y.mjs";\n\n/** One. */\n'
        "export const one = a;\nfunction two() {\n  return c; // stays\n}\nexport class Three {}\n",
    )
    assert imported == ["./y.mjs"]
    assert statement == (
        'modules["x.mjs"] = (() => {\nconst { a, b: c } = modules["y.mjs"];\nconst one = a;\n'
        "function two() {\nreturn c; // stays\n}\nclass Three {}\nreturn { one, Three };\n})();\n"
    )


def test_the_cards_of_the_page_are_those_of_the_game() -> None:
    text = (FOLDER / "deals.mjs").read_text("utf-8")
    assert f"{DEALS:_}" in text
    assert f"{math.factorial(20) // (math.factorial(6) ** 3 * 2):_}" in text
    assert len(CARDS) == 20
