"""The adapter kits side by side: the same parts, short skeletons, pages that name what there is."""

from __future__ import annotations

import re
import shutil
import sys
import textwrap
from pathlib import Path

import pytest
from adapter_kits import ADAPTERS, KITS, PAGES, Kit, environment

from bauernschnapsen.ruleset import load_ruleset
from bauernschnapsen_conformance.adapter import AdapterCommand, Session
from bauernschnapsen_conformance.corpus import load_corpus
from bauernschnapsen_conformance.run.levels import Level
from bauernschnapsen_conformance.run.runner import certify
from bauernschnapsen_conformance.run.selection import Selection

KIT_IDS = [kit.language for kit in KITS]
A_PART = Selection(shard=(1, 4))

# ---------------------------------------------------------------------------- all operations

WHOLE_ENGINE = """
    from kit import Unsupported, run
    from bauernschnapsen_conformance.reference_adapter import ReferenceAdapter

    engine = ReferenceAdapter()

    def ask(request):
        reply = engine.handle(request)
        if "error" in reply:
            raise ValueError(reply["error"]["message"])
        if "unsupported" in reply:
            raise Unsupported(reply["unsupported"])
        return reply["ok"]

    hello = ask({"op": "hello", "protocol": {"min": 1, "max": 1}})
    run(hello, {op: ask for op in ("rules", "legal_plays", "trick_winner", "replay")})
"""


@pytest.mark.slow
def test_a_whole_engine_behind_a_kit_reaches_every_level(tmp_path: Path) -> None:
    shutil.copy(ADAPTERS / "python" / "kit.py", tmp_path)
    (tmp_path / "whole.py").write_text(textwrap.dedent(WHOLE_ENGINE), encoding="utf-8")
    command = AdapterCommand((sys.executable, "whole.py"), tmp_path, environment())
    rules = load_ruleset("pagat")
    with Session(command, rules=dict(rules)) as session:
        report = certify(load_corpus(), rules, session, blind=True, selection=A_PART)
    assert report.levels == tuple(Level)
    assert report.exit_code == 0
    assert not report.faults


# ---------------------------------------------------------------------------- all kits alike


@pytest.mark.parametrize("kit", KITS, ids=KIT_IDS)
def test_the_skeleton_is_short(kit: Kit) -> None:
    text = (ADAPTERS / kit.language / kit.skeleton).read_text(encoding="utf-8")
    deals = re.search(r"^[ /#]+-+ levels 2 to 5.*?(?=^[ /#]+-+ start$)", text, re.M | re.S)
    assert deals is not None
    assert len(text.splitlines()) <= 220
    assert len(text.replace(deals.group(), "").splitlines()) <= 120
    marks = re.findall(r"^ *(?://|#) FILL (\d)", text, re.M)
    assert marks == [str(number) for number in range(1, 10)]
    assert re.findall(r"FILL (\d):", deals.group()) == ["6", "7", "8", "9"]


VERBS = (
    *("trump", "turn-up", "redeal", "bid", "bid-without-talon", "pass"),
    *("kontra", "rekontra", "subkontra"),
    *("play", "marry", "enough", "show", "talon", "keep", "discard", "raise"),
)


@pytest.mark.parametrize("kit", KITS, ids=KIT_IDS)
def test_kits_have_the_same_parts_in_the_same_order(kit: Kit) -> None:
    text = (ADAPTERS / kit.language / kit.kit).read_text(encoding="utf-8")
    parts = re.findall(r"^[ /#]+-{20,} (.+)$", text, re.M)
    shared = [part.partition(" (")[0] for part in parts if part != "JSON"]
    assert shared == ["notation", "requests and replies", "the loop"]
    plain = text.replace("_", "").lower()
    names = [
        *("protocol", "maxline", "suits", "ranks", "unsupported", "issuit", "iscard"),
        *("parsecard", "parseaction", "expectlist", "checkhands", "answer", "eachcase", "run"),
    ]
    for name in names:
        assert re.search(rf"\b{name}\b", plain), name
    table = re.search(r"VERBS\b.*?\btrump\b.*?\braise\b", text, re.S)
    assert table is not None
    places = [re.search(rf"(?<![\w-]){verb}(?![\w-])", table.group()) for verb in VERBS]
    assert None not in places
    starts = [place.start() for place in places if place]
    assert starts == sorted(starts)


def test_the_lock_file_names_no_address() -> None:
    lock = (ADAPTERS / "rust" / "Cargo.lock").read_text(encoding="utf-8")
    assert "://" not in lock
    assert lock.count("[[package]]") == 1


@pytest.mark.parametrize("kit", KITS, ids=KIT_IDS)
def test_the_page_names_what_there_is(kit: Kit) -> None:
    page = (PAGES / f"{kit.language}.md").read_text(encoding="utf-8")
    index = (PAGES / "index.md").read_text(encoding="utf-8")
    for name in (kit.kit, kit.skeleton):
        assert f"`{name}`" in page
        assert f"`{name}`" in index
    assert f"]({kit.language}.md)" in index
    kit_text = (ADAPTERS / kit.language / kit.kit).read_text(encoding="utf-8")
    functions = page[page.index("## What the kit does for you") :]
    for name in re.findall(r"^\| `(\w+)", functions, re.M):
        assert re.search(rf"\b{name}\b", kit_text), name
