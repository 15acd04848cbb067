"""Build the whole site: every language, two at a time, then what they have in common.

    python -m bauernschnapsen_conformance.rulebook.site [--output site] [--release] [LANGUAGE ...]

    site/index.html              the choice of languages
    site/LANGUAGE/EDITION/       the book; an edition keeps its address for ever
    site/assets/EDITION/         script, style and fonts, which all languages share
    site/LANGUAGE/versions.json  the editions of a language, the newest first
    site/rule-ids.json           permanent names of the rules, with number, address and checksum;
                                 of an older edition in site/assets/EDITION/

Editions that lie in the output folder already stay there. With SOURCE_DATE_EPOCH (else the date of
the last commit) two builds are the same byte for byte.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from html import escape
from pathlib import Path

import click

from bauernschnapsen.errors import SpecError

from ..corpus import load_corpus
from ..corpus.rules import load_rules
from ..corpus.translations import check_translations, load_languages
from .checkout import ROOT
from .checks import IDS, check_site
from .editions import this_edition
from .publish import READERS_PAGES, tongue_name
from .release import interface_lags, page_lags, release_faults
from .slim import OF_A_LANGUAGE, share_repeated, slim
from .tongue import tongue_of


def build(
    output: Path,
    languages: Sequence[str],
    jobs: int,
    *,
    check: bool = True,
    release: bool = False,
) -> list[str]:
    """Build the languages into `output`; return what is wrong, nothing if all is well.

    What is missing or lags in a required language is wrong, with `release` in any that is released.

    SpecError if mkdocs is missing or there is no mkdocs.yml: the site is built from a checkout.
    """
    if not (ROOT / "mkdocs.yml").exists():
        raise SpecError("the site is built from a checkout, where mkdocs.yml is")
    published = load_languages().published
    for language in languages:
        if language not in published:
            raise SpecError(f"the language {language!r} is not published", hint=" ".join(published))
    faults = _untranslated(languages, release=release)
    if faults:
        return faults
    output = output.resolve()
    edition = this_edition()
    with ThreadPoolExecutor(max_workers=jobs) as pool:
        faults = [
            fault
            for found in pool.map(
                lambda language: _build_one(output / language / edition, language, edition),
                languages,
            )
            for fault in found
        ]
    if faults:
        return faults
    for language in languages:
        slim(output / language / edition, languages)
    folders = [output / language / edition for language in languages]
    _share(output, folders, edition)
    share_repeated(folders, output / "assets" / edition)
    for language in languages:
        list_editions(output / language)
    write_choice(output, languages)
    for target in (output, output / "assets" / edition):
        shutil.copyfile(folders[0] / IDS, target / IDS)
    for folder in folders:
        # A rule has the same number and address in all languages.
        (folder / IDS).unlink()
    (output / ".nojekyll").touch()
    return check_site(output, edition, languages) if check else []


def _untranslated(languages: Sequence[str], *, release: bool) -> list[str]:
    """Return what keeps the languages from being published."""
    if release:
        return [str(fault) for fault in release_faults(ROOT / "docs", READERS_PAGES)]
    required = set(load_languages().required).intersection(languages)
    state = check_translations(load_rules(), load_corpus().scenarios)
    lags = [*state.lags, *interface_lags(), *page_lags(ROOT / "docs", READERS_PAGES)]
    return [
        f"{lag.language}: the translation of {lag.chapter} {lag.id} is {lag.what}"
        for lag in lags
        if lag.language in required
    ]


def _build_one(target: Path, language: str, edition: str) -> list[str]:
    environment = {
        **os.environ,
        "BAUERNSCHNAPSEN_LANGUAGE": language,
        "BAUERNSCHNAPSEN_EDITION": edition,
        "SOURCE_DATE_EPOCH": os.environ.get("SOURCE_DATE_EPOCH") or date_of_commit(),
        "NO_MKDOCS_2_WARNING": "1",
    }
    # Not --quiet: mkdocs would then not count the warnings that --strict is about.
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--clean"]
    done = subprocess.run(
        [*command, "--site-dir", str(target.resolve())],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    if done.returncode == 0:
        return []
    told = [line for line in (done.stderr or done.stdout).strip().splitlines() if line]
    said = [line for line in told if not line.startswith("INFO")][-20:]
    return [f"{language}: {line}" for line in said] or [f"{language}: mkdocs failed"]


def date_of_commit() -> str:
    """Return the date of the last commit, in seconds; 0 outside a repository."""
    done = subprocess.run(
        ["git", "log", "-1", "--format=%ct"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    return done.stdout.strip() or "0"


def _share(output: Path, folders: Sequence[Path], edition: str) -> None:
    """Move what is the same in all languages to assets/EDITION, and lead the pages there.

    Script, style and fonts are half a megabyte in each language; a reader who changes the language
    has them already.
    """
    first = folders[0] / "assets"
    shared = {}
    for path in sorted(first.rglob("*")):
        name = path.relative_to(first).as_posix()
        if name in OF_A_LANGUAGE:
            continue
        copies = [folder / "assets" / name for folder in folders]
        if path.is_file() and all(
            copy.exists() and copy.read_bytes() == path.read_bytes() for copy in copies
        ):
            shared[name] = copies
    target = output / "assets" / edition
    shutil.rmtree(target, ignore_errors=True)
    for name, copies in shared.items():
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(copies[0], target / name)
        for copy in copies:
            copy.unlink()
    named = re.compile(
        r"(?<=[\"'])((?:\.\./|\./)*)assets/(" + "|".join(map(re.escape, shared)) + r")(?=[\"'])"
    )
    for folder in folders:
        for path in folder.rglob("*.html"):
            text = path.read_text("utf-8")
            path.write_text(
                named.sub(rf"\g<1>../../assets/{edition}/\g<2>", text), encoding="utf-8"
            )
        for place in sorted((folder / "assets").rglob("*"), reverse=True):
            if place.is_dir() and not any(place.iterdir()):
                place.rmdir()


def list_editions(folder: Path) -> None:
    """Write versions.json, and lead the language's own address to the newest edition."""
    editions = [path.name for path in folder.iterdir() if path.is_dir()]
    editions.sort(key=lambda name: [int(part) for part in name.split(".")], reverse=True)
    listed = [
        {"version": name, "title": name, "aliases": ["latest"] if place == 0 else []}
        for place, name in enumerate(editions)
    ]
    _write(folder / "versions.json", json.dumps(listed, indent=1) + "\n")
    _write(folder / "index.html", _redirect(f"{editions[0]}/"))


def write_choice(output: Path, languages: Sequence[str]) -> None:
    """Write the first page: the languages, and what there is to print and to take along."""
    edition = this_edition()
    lines, taken = [], []
    for language in languages:
        title = escape(tongue_of(language)("site.title"))
        name = escape(tongue_name(language))
        lines.append(
            f'<li><a lang="{language}" hreflang="{language}" href="{language}/{edition}/">'
            f"<b>{name}</b><br>{title}</a></li>"
        )
        files = {
            f"pdf/{edition}/bauernschnapsen-{language}.pdf": tongue_of(language)("print.book"),
            f"pdf/{edition}/bauernschnapsen-sheet-{language}.pdf": tongue_of(language)("nav.sheet"),
        }
        links = [
            f'<a href="{path}">{escape(words)} (PDF)</a>'
            for path, words in files.items()
            if (output / path).exists()
        ]
        if links:
            listed = tongue_of(language).labelled(name, " · ".join(links))
            taken.append(f'<li lang="{language}">{listed}</li>')
    whole = f"offline/{edition}/bauernschnapsen-{edition}.zip"
    if (output / whole).exists():
        taken.append(f'<li><a href="{whole}">bauernschnapsen-{edition}.zip</a></li>')
    shown = f'<section id="downloads"><ul class="downloads">{"".join(taken)}</ul></section>'
    _write(
        output / "index.html",
        _CHOICE.replace("@@", "\n".join(lines)).replace("@D@", shown).replace("@E@", edition),
    )


def _redirect(target: str) -> str:
    return (
        '<!doctype html><html lang="en"><meta charset="utf-8"><title>Bauernschnapsen</title>'
        f'<meta http-equiv="refresh" content="0; url={target}">'
        f'<link rel="canonical" href="{target}"><a href="{target}">Bauernschnapsen</a></html>\n'
    )


def _write(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8")


_CHOICE = """\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Bauernschnapsen</title>
<link rel="icon" href="assets/@E@/images/favicon.png">
<style>
:root { color-scheme: light dark; }
body { font: 1.1rem/1.5 "Noto Sans", system-ui, sans-serif; margin: 10vh auto; max-width: 34rem;
  padding: 0 1rem; }
h1 { font-weight: 300; }
ul { list-style: none; padding: 0; display: grid; gap: .8rem;
  grid-template-columns: repeat(auto-fill, minmax(15rem, 1fr)); }
ul.downloads { display: block; margin-top: 2rem; font-size: .9rem; }
main > ul a { display: block; padding: .8rem 1rem; border: 1px solid; border-radius: .5rem;
  color: inherit; text-decoration: none; }
.downloads a { color: inherit; }
main > ul a:hover, main > ul a:focus-visible { background: #14532d; color: #fff; }
</style>
</head>
<body>
<main>
<h1>Bauernschnapsen</h1>
<ul>
@@
</ul>
@D@
</main>
<script>
// The reader's own language comes first under the finger.
for (const wanted of navigator.languages || []) {
  const link = document.querySelector(`a[hreflang="${wanted.slice(0, 2)}"]`);
  if (link) { link.parentNode.parentNode.prepend(link.parentNode); break; }
}
</script>
</body>
</html>
"""


@click.command("site")
@click.option("--output", default="site", type=click.Path(path_type=Path), show_default=True)
@click.option("--jobs", default=2, type=click.IntRange(1, 16), show_default=True)
@click.option("--check/--no-check", default=True, help="Read the result over.")
@click.option("--release", is_flag=True, help="No text may lag in any language.")
@click.argument("languages", nargs=-1)
def main(
    output: Path, jobs: int, languages: tuple[str, ...], *, check: bool, release: bool
) -> None:
    """Build the rulebook in all languages, or in those named."""
    try:
        chosen = languages or load_languages().published
        faults = build(output, chosen, jobs, check=check, release=release)
    except SpecError as error:
        faults = [str(error)]
    for fault in faults:
        click.echo(fault, err=True)
    sys.exit(2 if faults else 0)


if __name__ == "__main__":
    main()
