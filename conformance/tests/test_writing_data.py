"""What a keeper of house rules and an author of scenarios run into while they write their files."""

from __future__ import annotations

import copy
import random
import re
from pathlib import Path
from typing import Any

import pytest
from certifying import told as told  # noqa: PLC0414 - a fixture

from bauernschnapsen.data.locate import spec_root
from bauernschnapsen.errors import SpecError
from bauernschnapsen.ruleset import load_ruleset, shipped_rulesets, vary
from bauernschnapsen_conformance.corpus import load_corpus
from bauernschnapsen_conformance.corpus.rules import load_rules
from bauernschnapsen_conformance.corpus.scaffold import scaffold_ruleset, scaffold_scenario
from bauernschnapsen_conformance.report.verifying import refuse_borrowed_name

# ------------------------------------------------------------------- names of shipped rulesets


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["new", "ruleset", "pagat"], "new ruleset my-pagat --extends pagat"),
        pytest.param(
            ["identify", "--name", "talon", "--", "true"],
            "call yours my-talon",
            marks=pytest.mark.slow,
        ),
    ],
)
def test_a_name_of_the_suite_is_not_given_twice(
    arguments: list[str], words: str, told: Any
) -> None:
    code, lines = told(*arguments)
    assert (code, len(lines)) == (2, 1)
    assert words in lines[0]


@pytest.mark.parametrize(
    "command",
    [["check"], pytest.param(["rulebook"], marks=pytest.mark.slow), ["certify", "--ruleset"]],
)
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


# ------------------------------------------------------------------- templates


@pytest.mark.slow
def test_a_template_says_what_its_rules_say() -> None:
    by_an_option = [rule for rule in load_rules().values() if rule.data.get("text_by")]
    assert len(by_an_option) > 20
    for rule in by_an_option:
        three = rule.chapter == "talon"
        text = scaffold_scenario(
            "play.no-such", [rule.id], None, "N", None, "talon" if three else "pagat"
        )
        said = re.search(rf"(?m)^# {re.escape(rule.id)}: (.+)$", text)
        assert said, rule.id
        assert len(said[1]) > 20, rule.id


def test_an_untouched_template_is_not_in_order(told: Any, tmp_path: Path) -> None:
    file = tmp_path / "play" / "new.yaml"
    file.parent.mkdir()
    words = ["new", "scenario", "play.no-such", "--rule", "play.beat", "--contract", "normal"]
    assert told(*words, "--file", str(file)) == (0, [])
    code, lines = told("check", str(file))
    assert (code, lines[-1]) == (2, "3 faults found")
    for line, words_told in zip(lines, ("the topic", "the title", "the reason"), strict=False):
        assert f"is still {words_told} of the template" in line
        assert re.match(rf"{re.escape(str(file))}:\d+: ", line)
    text = file.read_text(encoding="utf-8")
    text = re.sub("(?m)^topic: .*$", "topic: Holding trumps", text)
    text = re.sub("(?m)title: .*$", "title: Forehand leads a trump", text)
    file.write_text(re.sub("(?m)en: .*$", "en: Forehand leads.", text), encoding="utf-8")
    assert told("check", str(file)) == (0, [])


@pytest.mark.parametrize("name", shipped_rulesets())
def test_what_a_new_ruleset_proposes_can_be_played(name: str, tmp_path: Path) -> None:
    text = scaffold_ruleset("our-table", name)
    file = tmp_path / "our-table.yaml"
    file.write_text(re.sub("(?m)^# (contracts:|options:|  )", r"\1", text), encoding="utf-8")
    changed, base = load_ruleset(file), load_ruleset(name)
    assert changed["contracts"] != base["contracts"]
    assert changed["options"] != base["options"]
    assert base["options"]["seats"] == 4 or "partner" not in text


def test_a_new_ruleset_extends_a_file_beside_it(told: Any, tmp_path: Path) -> None:
    club = tmp_path / "club.yaml"
    mine = tmp_path / "mine.yaml"
    assert told("new", "ruleset", "club", "--file", str(club)) == (0, [])
    assert told("new", "ruleset", "mine", "--extends", str(club), "--file", str(mine)) == (0, [])
    assert told("check", str(mine)) == (0, [])
    (tmp_path / "else").mkdir()
    elsewhere = str(tmp_path / "else" / "x.yaml")
    for arguments, words in (
        (["x", "--extends", str(club), "--file", elsewhere], "files in its own folder"),
        (["club", "--extends", str(club)], "a ruleset cannot extend itself"),
    ):
        code, lines = told("new", "ruleset", *arguments)
        assert (code, len(lines)) == (2, 1)
        assert words in lines[0]


# ------------------------------------------------------------------- options without effect

POSITION = load_corpus().positions[0].id
SCENARIO = "play.heart-trick"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["show", SCENARIO, "--turned", "1"], "--turned has no effect here: add --wire"),
        (["show", SCENARIO, "--suits", "DHSC", "--claims", "none"], "--suits and --claims have no"),
        (["show", SCENARIO, "--not-enforced"], "--not-enforced has no effect"),
        (["show", SCENARIO, "--starts", "deal"], "--starts has no effect"),
        (["show", SCENARIO, "--wire", "--replay"], "a scenario is always asked as a deal"),
        (["show", POSITION, "--wire", "--starts", "deal"], "asked as a query; add --replay"),
        (["show", POSITION, "--replay"], "--replay has no effect here: add --wire"),
        (["new", "scenario", "play.no-such", "--rule", "play.beat", "--by", "E"], "--by has no"),
        (["new", "scenario", "play.no-such", *["--rule", "play.beat"] * 2], "is given twice"),
        (["rulebook", "--deck", "german"], "--deck has no effect here"),
        (["rulebook", "--output", "book.pdf"], "the file that is written is .html unless --pdf"),
        (["rulebook", "--pdf", "--output", "book.html"], "the file that is written is .pdf"),
        (["check", "--lock", "my.yaml"], "--lock has no effect here"),
        (["check", "--freeze", "--release", "my.yaml"], "--freeze and --release have no effect"),
    ],
)
def test_an_option_without_effect_is_not_swallowed(
    arguments: list[str], words: str, told: Any
) -> None:
    code, lines = told(*arguments)
    assert (code, len(lines)) == (2, 1)
    assert words in lines[0]


# ------------------------------------------------------------------- files that are not checked


def test_a_baseline_is_known_as_one(told: Any, tmp_path: Path) -> None:
    file = tmp_path / "mine.baseline.yaml"
    file.write_text("baseline: mine\nform: 1\ndeals: []\n", encoding="utf-8")
    code, lines = told("check", str(file))
    assert code == 2
    assert f"{file}:1: this is a baseline" in lines[0]
    assert f"bauernschnapsen baseline --check {tmp_path / 'mine.yaml'}" in lines[0]


@pytest.mark.parametrize("name", ["glossary.yaml", "options.yaml", "baselines/pagat.yaml"])
def test_a_file_of_the_suite_that_means_nothing_alone(name: str, told: Any) -> None:
    code, lines = told("check", str(spec_root() / name))
    assert (code, len(lines)) == (2, 2)
    assert ("without names of files" in lines[0]) or "this is a baseline" in lines[0]


# ------------------------------------------------------------------- a file spoilt in many ways

HOUSE = "ruleset: mine\nextends: pagat\n"
# Content after the two lines above, or a whole file; then line and words of each fault told.
SPOILT: dict[str, tuple[str | bytes, list[str]]] = {
    "options that are not indented": (
        "options:\ntarget: 5\n",
        ["3: options: expected a mapping, found null (indent", "4: target: unknown field (it belo"],
    ),
    "a line that is indented too far": (
        "options:\n  target: 5\n   schneider: 2\n",
        ["5: YAML syntax: mapping values are not allowed in this context (look at the indent"],
    ),
    "a line that is indented too little": (
        "options:\n   target: 5\n  schneider: 2\n",
        ["5: YAML syntax: "],
    ),
    "a tab": ("options:\n\ttarget: 5\n", ["4: a tab is not allowed (use spaces)"]),
    "a quote that is not closed": (
        "title: {en: 'Our table}\noptions: {target: 5}\n",
        ["3: YAML syntax: ", "(the quote that opens here is not closed)"],
    ),
    "a key twice": (
        "options:\n  target: 5\n  target: 6\n",
        ["5: options: the key 'target' is given twice"],
    ),
    "an anchor": ("options: &a {target: 5}\n", ["3: an anchor (&NAME) is not allowed"]),
    "an alias": ("options: *a\n", ["3: an alias (*NAME) is not allowed"]),
    "a merge key": (
        "contracts:\n  gang:\n    <<: {value: 5}\n",
        ["5: contracts.gang: a merge key"],
    ),
    "a huge file": ("# " + "x" * 2_000_000, [": is larger than 1048576 bytes"]),
    "too many values": (f"sources: [{'a,' * 300_000}]\n", ["3: sources: more than 200000 values"]),
    "wrong types": (
        "options: {target: twenty, packets: [3, two], seats: four, claim_by: [leader]}\n",
        [
            "3: options.target: expected a whole number, found 'twenty'",
            "3: options.packets[1]: expected a whole number, found 'two'",
            "3: options.seats: 'four' is not allowed here (expected one of: 4, 3)",
            "3: options.claim_by: a list is not allowed here (expected one of: leader, side)",
        ],
    ),
    "unknown fields": (
        "options: {targets: 5}\ncontrakts: {}\n",
        ["3: options.targets: unknown field (did you mean 'target'?)", "4: contrakts: unknown"],
    ),
    "an unknown contract": (
        "contracts: {betler: {value: 5}}\n",
        ["3: contracts.betler: 'betler' is a new contract", "did you mean 'bettler'?"],
    ),
    "like an unknown contract": (
        "contracts: {ring: {like: gnag, above: gang}}\n",
        ["3: contracts.ring.like: there is no contract 'gnag' (did you mean 'gang'?)"],
    ),
    "above an unknown contract": (
        "contracts: {ring: {like: gang, above: gnag}}\n",
        ["3: contracts.ring.above: there is no other contract 'gnag' (did you mean 'gang'?)"],
    ),
    "a new contract with few fields": (
        "contracts: {ring: {value: 5, above: gang}}\n",
        ["3: contracts.ring: fields are missing: played,", "(take them from another contract"],
    ),
    "three partners": ("options: {seats: 3}\n", ["3: options.sides: ", "the ruleset talon"]),
    "not UTF-8": ((HOUSE + "title: {en: Grüße}\n").encode("latin-1"), ["3: is not UTF-8"]),
    "UTF-16": (HOUSE.encode("utf-16"), ["1: is not UTF-8"]),
    "Windows lines": (
        (HOUSE + "options:\n  targt: 12\n").replace("\n", "\r\n").encode(),
        ["4: options.targt: unknown field"],
    ),
    "a byte order mark": (
        b"\xef\xbb\xbf" + (HOUSE + "options: {targt: 12}\n").encode(),
        ["3: options.targt: unknown field"],
    ),
    "itself": (b"ruleset: mine\nextends: mine\n", ["2: extends: ", "circle: mine -> mine"]),
    "a circle": (b"ruleset: mine\nextends: round\n", ["2: extends: rulesets extend each other"]),
    "a directory": (b"ruleset: mine\nextends: folder\n", ["2: extends: folder.yaml beside"]),
    "nothing": (
        b"ruleset: mine\nextends: wikipeda\n",
        ["2: extends: there is no ruleset 'wikipeda', and no file", "did you mean 'wikipedia'?"],
    ),
    "a path": (b"ruleset: mine\nextends: ./club.yaml\n", ["2: extends: expected the name of"]),
    "no parent": (b"ruleset: mine\n", ["1: options: options are missing: seats,", "it extends"]),
}


@pytest.mark.parametrize(
    ("content", "wanted"),
    [
        pytest.param(*case, id=name, marks=[pytest.mark.slow] if "too many" in name else [])
        for name, case in SPOILT.items()
    ],
)
def test_a_house_file_that_is_spoilt(
    content: str | bytes, wanted: list[str], told: Any, tmp_path: Path
) -> None:
    file = tmp_path / "mine.yaml"
    file.write_bytes(content if isinstance(content, bytes) else (HOUSE + content).encode())
    (tmp_path / "round.yaml").write_text("ruleset: round\nextends: mine\n", encoding="utf-8")
    (tmp_path / "folder.yaml").mkdir()
    code, lines = told("check", str(file))
    assert code == 2
    assert re.fullmatch(r"\d faults? found", lines[-1])
    for words in wanted:
        assert any(words in line for line in lines[:-1]), (words, lines)
    assert all(line.isprintable() and len(line) < 400 for line in lines)
    place = ":" if "larger" in wanted[0] else r":\d+: "
    for line in lines[:-1]:
        assert re.match(re.escape(str(tmp_path)) + r"/(mine|round)\.yaml" + place, line), line


def test_the_slips_of_the_manual_are_told_as_it_says(told: Any, tmp_path: Path) -> None:
    manual = (spec_root().parent / "docs" / "house-rules.md").read_text(encoding="utf-8")
    files = dict(re.findall(r'```yaml title="([a-z-]+\.yaml)"\n(.*?)```', manual, re.S))
    for name, old, new in (
        ("my-house.yaml", "claim_by:", "claim_bye:"),
        ("haus-gang.yaml", "    above: zehner-gang\n", ""),
    ):
        assert old in files[name]
        (tmp_path / name).write_text(files[name].replace(old, new), encoding="utf-8")
        _, lines = told("check", str(tmp_path / name))
        assert f"check {name}\n{lines[0].removeprefix(f'{tmp_path}/')}\n{lines[1]}\n" in manual


@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("mark", ["", "\N{ZERO WIDTH NO-BREAK SPACE}"])
def test_ends_of_lines_and_a_byte_order_mark_change_nothing(
    ending: str, mark: str, tmp_path: Path
) -> None:
    file = tmp_path / "mine.yaml"
    text = mark + (HOUSE + "options:\n  target: 12\n").replace("\n", ending)
    file.write_bytes(text.encode())
    assert load_ruleset(file)["options"]["target"] == 12


def test_a_link_to_itself_is_no_traceback(told: Any, tmp_path: Path) -> None:
    file = tmp_path / "mine.yaml"
    file.symlink_to("mine.yaml")
    code, lines = told("check", str(file))
    assert (code, len(lines)) == (2, 2)
    assert "mine.yaml: cannot be read: " in lines[0]


@pytest.mark.parametrize("place", ["no-such-folder/x.yaml", "folder"])
def test_a_baseline_that_cannot_be_written(place: str, told: Any, tmp_path: Path) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text(HOUSE, encoding="utf-8")
    (tmp_path / "folder").mkdir()
    code, lines = told("baseline", str(file), "--file", str(tmp_path / place))
    assert (code, len(lines)) == (2, 1)
    assert "cannot be written: " in lines[0]
    code, lines = told("baseline", "--check", str(file))
    assert (code, len(lines)) == (2, 1)
    assert f"freeze one: bauernschnapsen baseline {file}" in lines[0]
    code, lines = told("baseline", "--all", str(file))
    assert "--all has no effect here: add --check" in lines[0]


SNIPPETS = (
    *("{", "}", "[", "]", ": ", "- ", "&a ", "*a", "!!x ", "'", '"', "\n", "  ", "\t", "null", "5"),
    *("-1", "#", "|", "> ", "?", "%", "@", "`", ",", "---\n", "true", "<<: ", "é", "\0", "gang"),
)


def spoil(text: str, chance: random.Random) -> str:
    """Slip once: something is typed, deleted, pasted in again, or a line moves."""
    place = chance.randrange(len(text))
    kind = chance.randrange(4)
    if kind == 0:
        return text[:place] + chance.choice(SNIPPETS) + text[place:]
    if kind == 1:
        return text[:place] + text[place + chance.randint(1, 12) :]
    if kind == 2:
        copied = chance.randrange(len(text))
        return text[:place] + text[copied : copied + 20] + text[place:]
    lines = text.split("\n")
    moved = lines.pop(chance.randrange(len(lines)))
    lines.insert(chance.randrange(len(lines) + 1), moved)
    return "\n".join(lines)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["rulesets", "scenarios/auction"])
def test_any_slip_is_told_with_file_and_line(kind: str, told: Any, tmp_path: Path) -> None:
    chance = random.Random(7)
    folder = tmp_path / kind
    folder.mkdir(parents=True)
    whole = sorted((spec_root() / kind).glob("*.yaml"), key=lambda file: file.stat().st_size)[0]
    text = whole.read_text(encoding="utf-8").replace(f"ruleset: {whole.stem}", "ruleset: mine")
    text = text.replace("id: auction.", "id: auction.spoilt-")
    file = folder / "mine.yaml"
    refused = 0
    for _ in range(30):
        file.write_bytes(spoil(text, chance).encode())
        code, lines = told("check", str(file))
        for line in lines[:-1] if code else ():
            refused += 1
            assert re.match(rf"{re.escape(str(file))}:\d+: \S", line), line
            assert "None" not in line
            assert len(line) < 600
    assert refused > 10
