"""What a page plays with, outside of a page: deals, opponents, examples, words, and the bundle."""

from __future__ import annotations

import json
import math
import random
import re
import shutil
import subprocess
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from bauernschnapsen.errors import SpecError
from bauernschnapsen.notation import CARDS, DEALS, SEATS, deal_of_number, format_card
from bauernschnapsen.replay import replay
from bauernschnapsen.ruleset import compile_rules, load_ruleset
from bauernschnapsen_conformance.corpus import home_rules, load_corpus, prepare
from bauernschnapsen_conformance.corpus.translations import load_languages
from bauernschnapsen_conformance.rulebook.model import Book, load_book
from bauernschnapsen_conformance.rulebook.play import example_data
from bauernschnapsen_conformance.rulebook.play.bundle import (
    FOLDER,
    bundled,
    engine_path,
    play_script,
)
from bauernschnapsen_conformance.rulebook.play.data import (
    TRICK_FIELDS,
    rulesets_script,
    words_script,
)
from bauernschnapsen_conformance.rulebook.tongue import tongue_of

NODE = shutil.which("node")
Json = dict[str, Any]
Ask = Callable[..., Any]
pytestmark = pytest.mark.slow
needs_node = pytest.mark.skipif(NODE is None, reason="node is not installed on this machine")


@pytest.fixture(scope="module")
def book() -> Book:
    return load_book()


@pytest.fixture(scope="module")
def ask(book: Book, tmp_path_factory: pytest.TempPathFactory) -> Ask:
    """Put one question to the modules, in a process of its own."""
    data = tmp_path_factory.mktemp("play") / "data.js"
    data.write_text(words_script(book, tongue_of("de")) + rulesets_script(book), "utf-8")

    def answer(question: str, **about: object) -> Any:
        assert NODE is not None
        done = subprocess.run(
            [NODE, "conformance/tests/playable.mjs", str(FOLDER), str(engine_path()), str(data)],
            input=json.dumps([{"ask": question, **about}]),
            cwd=Path(__file__).resolve().parents[2],
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=120,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)[0]

    return answer


# ------------------------------------------------------------------ deals


@needs_node
def test_a_deal_number_means_the_same_cards_as_everywhere(ask: Ask) -> None:
    lot = random.Random(8)
    numbers = [0, 1, DEALS - 1, *(lot.randrange(DEALS) for _ in range(200))]
    expected = [
        {
            seat: [format_card(card) for card in hand]
            for seat, hand in zip(SEATS, deal_of_number(number), strict=True)
        }
        for number in numbers
    ]
    assert ask("hands", numbers=numbers) == expected
    assert ask("hands", numbers=[-1, DEALS, 0.5]) == [None, None, None]
    for mixed, plain in zip(ask("dealt", numbers=numbers), expected, strict=True):
        assert {seat: sorted(hand) for seat, hand in mixed.items()} == {
            seat: sorted(hand) for seat, hand in plain.items()
        }


@needs_node
def test_the_deals_for_three_are_counted_in_the_same_way(ask: Ask) -> None:
    # 20! / (6!^3 * 2!) ways to deal six cards to three and to lay two aside.
    ways = math.factorial(20) // (math.factorial(6) ** 3 * 2)
    first, last, beyond = ask("hands", numbers=[0, ways - 1, ways], seats=3)
    pack = list(CARDS)
    assert first == {"N": pack[:6], "E": pack[6:12], "S": pack[12:18], "talon": pack[18:]}
    assert last == {"N": pack[14:], "E": pack[8:14], "S": pack[2:8], "talon": pack[:2]}
    assert beyond is None
    lot = random.Random(9)
    numbers = [lot.randrange(ways) for _ in range(50)]
    dealt = ask("hands", numbers=numbers, seats=3)
    assert len({json.dumps(hands) for hands in dealt}) == len(set(numbers))
    for hands in dealt:
        assert sorted(card for hand in hands.values() for card in hand) == sorted(pack)


@needs_node
def test_lots_are_spread_evenly_and_can_be_drawn_again(ask: Ask) -> None:
    drawn = ask("lots", seed=10_649_000_000, name="order", count=4000)
    assert drawn == ask("lots", seed=10_649_000_000, name="order", count=4000)
    assert drawn != ask("lots", seed=10_649_000_001, name="order", count=4000)
    assert drawn != ask("lots", seed=10_649_000_000, name="other", count=4000)
    for tenth in range(10):
        # A tenth of 4,000, within five standard deviations.
        assert abs(sum(int(one * 10) == tenth for one in drawn) - 400) < 95
    rising = sum(one < after for one, after in pairwise(drawn))
    assert abs(rising - 2000) < 160


# ------------------------------------------------------------------ examples


@needs_node
def test_every_example_plays_in_the_page_as_in_the_reference(book: Book, ask: Ask) -> None:
    examples = list(book.examples.values())
    seats = {len(deal["hands"]) for one in examples for deal in one.prepared.deals}
    assert seats == {3, 4}
    assert len(examples) > 170
    played = ask("timeline", examples=[example_data(example) for example in examples])
    for example, steps in zip(examples, played, strict=True):
        expected = [view for views in example.prepared.expected for view in views]
        assert len(steps) == len(expected), example.scenario.id
        for step, view in zip(steps, expected, strict=True):
            assert step["refused"] == view.get("refused"), example.scenario.id
            for key in ("phase", "to_act", "points", "scores", "outcome", "trump"):
                assert step[key] == view[key], (example.scenario.id, key)


# ------------------------------------------------------------------ the free table


def judged(ruleset: str, played: list[Json]) -> list[Json]:
    """Return the last view of each deal as the reference sees it, every action accepted."""
    rules, last = compile_rules(load_ruleset(ruleset)), []
    for deal in played:
        record = deal["record"]
        actions = [line.split(" ", 1) for line in record["actions"]]
        hands = {seat: cards.split() for seat, cards in record["hands"].items()}
        views = replay(rules, [{**record, "hands": hands, "actions": actions}])[0]
        assert not [view for view in views if view.get("refused")], deal["number"]
        last.append(views[-1])
    return last


@needs_node
@pytest.mark.parametrize(
    ("ruleset", "seat"),
    [
        ("pagat", "S"), ("conservative", "N"), ("luschentreff", "W"), ("wikipedia", "E"),
        ("talon", "S"), ("talon_carinthia", "N"), ("talon_wikipedia", "E"),
    ],
)  # fmt: skip
def test_whole_games_are_played_by_the_rules(ask: Ask, ruleset: str, seat: str) -> None:
    played = ask("games", ruleset=ruleset, seat=seat, first=2_777_777_777, count=30)
    marks = dict.fromkeys(played[0]["marks"], 0)
    assert list(marks) == (["N", "E", "S"] if "talon" in ruleset else ["NS", "EW"])
    dealers = []
    for deal, view in zip(played, judged(ruleset, played), strict=True):
        assert deal["same"], "a match that is taken up again is another"
        assert deal["marks"] == marks
        for key in ("scores", "outcome", "next_dealer", "game"):
            assert deal["view"][key] == view[key], deal["number"]
        if view["game"] is not None:
            marks = {side: marks[side] + view["game"]["bummerl"][side] for side in marks}
        dealers.append((deal["record"]["dealer"], view["next_dealer"]))
    assert sum(marks.values()) > 0, "no game ended"
    assert all(before[1] == after[0] for before, after in pairwise(dealers))


@needs_node
def test_the_opponents_bid_more_than_normal_where_they_can_make_it(ask: Ask) -> None:
    played = ask("games", ruleset="pagat", seat="S", first=9_876_543_210, count=150)
    made: dict[str, list[bool]] = {}
    for deal in played:
        outcome, contract = deal["view"]["outcome"], deal["view"]["contract"]
        side = next(side for side in ("NS", "EW") if contract["declarer"] in side)
        made.setdefault(contract["name"], []).append(outcome["awards"][side] > 0)
    normal = made.pop("normal")
    higher = [one for name in made for one in made[name]]
    assert len(made) >= 4, made
    assert 0.06 < len(higher) / len(played) < 0.35
    assert sum(higher) / len(higher) > 0.7
    assert 0.5 < sum(normal) / len(normal) < 0.8


@needs_node
def test_three_players_take_the_talon_and_lay_two_cards_away(ask: Ask) -> None:
    played = ask("games", ruleset="talon", seat="S", first=1_876_543_210, count=90)
    taken, made, higher = 0, [], set()
    for deal in played:
        contract, outcome = deal["view"]["contract"], deal["view"]["outcome"]
        said = [line.split(" ", 1)[1].split()[0] for line in deal["record"]["actions"]]
        taken += said.count("discard")
        assert said.count("talon") == said.count("discard")
        made.append(outcome["awards"][contract["declarer"]] > 0)
        higher |= {contract["name"]} - {"normal"}
    assert taken > 80
    assert len(higher) >= 3, higher
    # One against two, but with the best six of eight cards.
    assert 0.3 < sum(made) / len(made) < 0.75


@needs_node
@pytest.mark.parametrize("ruleset", ["pagat", "ukrainian", "talon"])
def test_the_opponents_do_not_look_into_hands(ask: Ask, ruleset: str) -> None:
    asked = 0
    for first in (1_234_567_890, 2_321_987_654, 3_199_000_111):
        for with_these, with_others in ask("honest", ruleset=ruleset, first=first):
            assert with_these == with_others
            asked += 1
    assert asked > 40


# ------------------------------------------------------------------ what may I play here?

SITUATIONS: list[tuple[Json, dict[str, str | None]]] = [
    (
        {"trick": ["KS"], "hand": ["AS", "QS", "TH"]},
        {"AS": None, "QS": "play.beat", "TH": "play.follow"},
    ),
    (
        {"trick": ["KS", "JH"], "hand": ["AS", "QS", "TH"]},
        {"AS": None, "QS": None, "TH": "play.follow"},
    ),
    (
        {"trick": ["AS", "TH"], "hand": ["AH", "JH", "AD"]},
        {"AH": None, "JH": "play.over-ruff", "AD": "play.ruff"},
    ),
    (
        {"contract": "gang", "trick": ["AS", "TH"], "hand": ["AH", "AD"]},
        {"AH": None, "AD": None},
    ),
    (
        {"contract": "zehner-gang", "trick": ["AS"], "hand": ["JS", "TS", "AD"]},
        {"JS": None, "TS": None, "AD": "play.follow"},
    ),
    (
        {"trick": ["KS"], "hand": ["AS", "QS"], "fields": {"head": "free"}},
        {"AS": None, "QS": None},
    ),
    (
        {"trick": ["AS", "TH"], "hand": ["AH", "JH"], "fields": {"overtrump": "free"}},
        {"AH": None, "JH": None},
    ),
    (
        {"trick": ["JS", "AS"], "hand": ["KS", "JD"], "fields": {"head_target": "led_card"}},
        {"KS": None, "JD": "play.follow"},
    ),
    ({"trick": [], "hand": ["AS", "QS"]}, {"AS": None, "QS": None}),
    (
        {"ruleset": "talon", "trick": ["KS"], "hand": ["AS", "QS", "TH", "AH", "JD", "AD"]},
        {"AS": None, "QS": "play.beat"} | dict.fromkeys(["TH", "AH", "JD", "AD"], "play.follow"),
    ),
    (
        {"ruleset": "talon", "contract": "farben-gang", "declarer": "E", "trick": ["KS", "AS"],
         "hand": ["AH", "JH"]},
        {"AH": None, "JH": None},
    ),
]  # fmt: skip


@needs_node
def test_a_situation_that_the_reader_sets_up_is_judged(ask: Ask) -> None:
    answers = ask("situations", states=[state for state, _ in SITUATIONS])
    for (_, expected), answer in zip(SITUATIONS, answers, strict=True):
        assert answer["against"] == expected, answer["state"]


@needs_node
def test_an_impossible_situation_is_mended(ask: Ask) -> None:
    three = ["AS", "KS", "QS"]
    bettler = {"contract": "bettler", "declarer": "N", "trick": three, "hand": ["JS"]}
    nothing = {"contract": "no-such-game", "trick": three, "hand": ["JS"]}
    three_players = {"ruleset": "talon", "declarer": "W", "trick": three, "hand": ["JS"]}
    many = {"hand": ["AH", "KH", "QH", "JH", "TH", "AD"], "trick": []}
    states = [bettler, nothing, three_players, many, {**many, "ruleset": "talon"}]
    mended = [one["state"] for one in ask("situations", states=states)]
    # The reader does not sit out himself, and two have played before him.
    assert mended[0]["declarer"] == "E"
    assert mended[0]["trick"] == three[:2]
    assert mended[1]["contract"] == "normal"
    # Of three only two have played before him, and nobody sits in the west.
    assert mended[2]["declarer"] == "E"
    assert mended[2]["trick"] == three[:2]
    assert [len(one["hand"]) for one in mended[3:]] == [5, 6]


@needs_node
def test_a_situation_is_written_into_the_address_and_read_again(ask: Ask) -> None:
    state = {
        "ruleset": "wikipedia", "contract": "gang", "trump": "C", "declarer": "W",
        "trick": ["KH", "AH"], "hand": ["JS"], "fields": {"head": "free"},
    }  # fmt: skip
    (again,) = ask("addresses", states=[state])
    assert again == state
    cards = ["ZZ", "AS", "AS"]
    hostile = {**state, "ruleset": "x", "trump": "<b>", "hand": cards, "fields": {"head": "<i>"}}
    (mended,) = ask("addresses", states=[hostile])
    assert mended["ruleset"] == "pagat"
    assert mended["trump"] == "H"
    assert mended["hand"] == ["AS"]
    assert mended["fields"] == {}


# ------------------------------------------------------------------ words and rulesets


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
        *(f"play.{verb}" for verb in ("raise", "bid-without-talon")),
        *(f"play.field.{field}" for field in TRICK_FIELDS),
        *(f"play.step-{place}" for place in ("first", "back", "on", "last")),
    ):
        assert key in words


def test_every_language_has_all_words_of_the_playable_pages() -> None:
    for language in load_languages().published:
        interface = tongue_of(language).interface
        mine = {
            key for key in interface.words if key.startswith(("play.", "nav.play", "nav.table"))
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
