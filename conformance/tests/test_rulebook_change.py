"""One change in spec/ changes every place it appears in, in one build, and nothing by hand."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from built_site import edition_in
from built_site import site as site  # noqa: PLC0414 - a fixture

ROOT = Path(__file__).resolve().parents[2]
PARTS = ("spec", "schemas", "docs", "mkdocs.yml", "reference_engine", "conformance")
RULE = "A player plays only cards that he still holds."
TITLE = "The third player must beat his own partner's card"
VALUE = "In a Bettler the declarer undertakes to win no trick, for {} game points."
BUILD = """
import json, sys
from pathlib import Path
from bauernschnapsen_conformance.rulebook.model import load_book
from bauernschnapsen_conformance.rulebook.pdf import book_html, sheet_html
from bauernschnapsen_conformance.rulebook.site import build
from bauernschnapsen_conformance.rulebook.tongue import tongue_of
target = Path(sys.argv[1])
faults = build(target, ["en"], 1)
book, tongue = load_book(), tongue_of("en")
(target / "book.print").write_text(book_html(book, tongue)[0])
(target / "sheet.print").write_text(sheet_html(book, tongue)[0])
print(json.dumps(faults))
"""


def replace_once(path: Path, old: str, new: str) -> None:
    text = path.read_text("utf-8")
    assert text.count(old) == 1, (path, old, text.count(old))
    path.write_text(text.replace(old, new), encoding="utf-8")


def places(folder: Path, words: str) -> set[str]:
    """Every file of the English book that has these words, as its readers see them."""
    shown = {words, words.replace("'", "&#x27;")}
    return {
        path.relative_to(folder).as_posix()
        for path in folder.rglob("*")
        if path.suffix in (".html", ".json", ".js", ".print")
        and any(one in path.read_text("utf-8") for one in shown)
    }


@pytest.mark.slow
def test_one_change_in_the_data_reaches_every_place(site: Path, tmp_path: Path) -> None:
    tree, target = tmp_path / "tree", tmp_path / "site"
    unneeded = shutil.ignore_patterns("node_modules", "__pycache__", ".mypy_cache", "build")
    for name in PARTS:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, tree / name, ignore=unneeded)
        else:
            shutil.copyfile(ROOT / name, tree / name)
    spec = tree / "spec"
    replace_once(spec / "rules" / "play.yaml", RULE, "A player sings before he plays.")
    replace_once(spec / "scenarios" / "play" / "beat.yaml", TITLE, "Nobody spares his own partner")
    replace_once(
        spec / "scenarios" / "play" / "beat.yaml", "N: KS QH AC TC JD", "N: JD KS QH AC TC"
    )
    replace_once(
        spec / "rulesets" / "pagat.yaml",
        "  bettler:\n    {value: 4",
        "  bettler:\n    {value: 13",
    )
    done = subprocess.run(
        [sys.executable, "-c", BUILD, str(target)],
        cwd=tree,
        env={
            **os.environ,
            "PYTHONPATH": os.pathsep.join(
                [str(tree / "conformance"), str(tree / "reference_engine")]
            ),
        },
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    assert json.loads(done.stdout.splitlines()[-1]) == []
    edition = edition_in(site)
    before, after = site / "en" / edition, target / "en" / edition
    for old, new, least in (
        (RULE, "A player sings before he plays.", 3),
        (TITLE, "Nobody spares his own partner", 3),
        (VALUE.format(4), VALUE.format(13), 2),
    ):
        assert places(before, new) == set(), new
        assert places(target, old) == set(), old
        changed = places(after, new)
        assert changed == places(before, old), new
        assert len(changed) >= least, (new, changed)
        # On paper only the first example of a rule is shown, and this is the second.
        assert ("book.print" in places(target, new)) == (old != TITLE)
    # The table of contracts, wherever it stands, and what the playable pages count with.
    for name in ("contracts/index.html", "sheet/index.html", "learn/index.html"):
        row = (after / name).read_text("utf-8").split('id="c-bettler"')[1].split("<tr>")[0]
        assert ">13<" in row, name
    for name in ("book.print", "sheet.print"):
        row = (target / name).read_text("utf-8").split('id="c-bettler"')[1].split("</tr>")[0]
        assert ">13</td>" in row, name
    scripts = target / "assets" / edition
    assert '"N":"JD KS QH AC TC"' in (scripts / "examples" / "play.js").read_text("utf-8")
    playing = (scripts / "book.js").read_text("utf-8").split('"bettler":{')[1].split("}")[0]
    assert '"value":13' in playing
    ids = [
        json.loads((one / "rule-ids.json").read_bytes())["play.own-cards"] for one in (site, target)
    ]
    assert ids[0]["checksum"] != ids[1]["checksum"]
    assert ids[0]["address"] == ids[1]["address"]
