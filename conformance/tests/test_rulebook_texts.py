"""Texts in all languages: options, rulesets and pages; what lags; what changed between editions."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from bauernschnapsen.data.locate import spec_root
from bauernschnapsen.data.yaml_loader import load_yaml
from bauernschnapsen.errors import SpecError
from bauernschnapsen.ruleset import load_ruleset
from bauernschnapsen_conformance.commands import check as check_command
from bauernschnapsen_conformance.corpus import check as checks
from bauernschnapsen_conformance.corpus.options import load_options_with_errors
from bauernschnapsen_conformance.corpus.rules import load_rules
from bauernschnapsen_conformance.corpus.table_texts import (
    check_table_texts,
    field_checksum,
    in_all_languages,
    load_table_texts,
    ruleset_checksum,
    skeleton,
)
from bauernschnapsen_conformance.corpus.translations import Lag, load_languages
from bauernschnapsen_conformance.rulebook import release, site
from bauernschnapsen_conformance.rulebook.editions import (
    changes_by_edition,
    keep_edition,
    sums_of,
)
from bauernschnapsen_conformance.rulebook.model import load_book
from bauernschnapsen_conformance.rulebook.pages_index import changes_page, contract_index_page
from bauernschnapsen_conformance.rulebook.publish import READERS_PAGES
from bauernschnapsen_conformance.rulebook.release import page_checksum, page_lags, split_page
from bauernschnapsen_conformance.rulebook.tongue import tongue_of

OPTIONS = load_yaml(spec_root() / "options.yaml").value


@pytest.fixture
def spec(tmp_path: Path) -> Path:
    """A copy of the options with translations into a language that nobody else publishes."""
    root = tmp_path / "spec"
    (root / "translations" / "pl").mkdir(parents=True)
    shutil.copyfile(spec_root() / "options.yaml", root / "options.yaml")
    (root / "translations" / "languages.yaml").write_text(
        "published: [en, de, pl]\nrequired: [en, de]\nprevails: de\n"
    )
    return root


@pytest.fixture(autouse=True)
def fresh() -> Iterator[None]:
    """Files are read once per process, and these tests change them."""
    load_table_texts.cache_clear()
    load_languages.cache_clear()
    yield
    load_table_texts.cache_clear()
    load_languages.cache_clear()


def write_options(spec: Path, body: str) -> None:
    path = spec / "translations" / "pl" / "options.yaml"
    path.write_text(f"language: pl\noptions:\n{body}", encoding="utf-8")


def test_an_option_is_read_in_every_language_it_is_translated_into(spec: Path) -> None:
    source = field_checksum(OPTIONS["options"]["claim_by"])
    values = OPTIONS["options"]["claim_by"]["values"]
    first = next(iter(values))
    write_options(
        spec,
        f"  claim_by:\n    source: '{source}'\n    meaning: Kto może powiedzieć dosyć.\n"
        f"    values:\n      {first}: Tylko ten gracz.\n",
    )
    catalogue, errors = load_options_with_errors(spec)
    assert errors == []
    field = catalogue.fields["options.claim_by"]
    assert field.meaning["pl"] == "Kto może powiedzieć dosyć."
    assert field.text(first, "pl") == "Tylko ten gracz."
    # What is not translated is said in English.
    other = next(key for key in values if key != first)
    assert field.text(other, "pl") == values[other]["en"]
    assert catalogue.is_whole("de")
    assert not catalogue.is_whole("pl")
    _, lags = check_table_texts(OPTIONS, spec)
    assert {lag.language for lag in lags} == {"pl"}
    assert "options.claim_by" in {lag.id for lag in lags if lag.what == "missing"}


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("  claim_bye: {source: '0123456789ab', meaning: Kto to mówi.}\n", "claim_by"),
        ("  claim_by: {source: 'SUM', other: Coś innego.}\n", "English has no such text"),
        ("  packets: {source: 'PAC', other: Rozdaje się inaczej.}\n", "braces"),
        ("  claim_by: {source: 'SUM', meaning: Kto ma AH.}\n", "meaning"),
        ("  claim_by: {source: short, meaning: Kto to mówi.}\n", "source"),
    ],
)
def test_a_translation_of_options_that_fits_nothing_is_refused(
    spec: Path, body: str, said: str
) -> None:
    body = body.replace("SUM", field_checksum(OPTIONS["options"]["claim_by"]))
    write_options(spec, body.replace("PAC", field_checksum(OPTIONS["options"]["packets"])))
    errors, _ = check_table_texts(OPTIONS, spec)
    assert errors
    assert said in str(errors[0])
    assert errors[0].line is not None


def test_a_skeleton_once_filled_in_lacks_nothing(spec: Path) -> None:
    for kind in ("options", "rulesets"):
        lines, english = [], ""
        for line in skeleton("pl", kind, spec).splitlines():
            if line.lstrip().startswith("# en: "):
                english = line.partition("# en: ")[2]
            blank = line.endswith(":") and english
            lines.append(f"{line} {json.dumps(english)}" if blank else line)
            english = "" if blank else english
        path = spec / "translations" / "pl" / f"{kind}.yaml"
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    load_table_texts.cache_clear()
    errors, lags = check_table_texts(OPTIONS, spec)
    assert [str(error) for error in errors] == []
    assert lags == []
    whole = in_all_languages(load_ruleset("wikipedia"), spec)
    assert whole["title"]["pl"] == whole["title"]["en"]
    # An older English: the entry lags.
    path = spec / "translations" / "pl" / "rulesets.yaml"
    own = ruleset_checksum(load_ruleset("wikipedia"))
    path.write_text(path.read_text("utf-8").replace(own, "0123456789ab"), encoding="utf-8")
    load_table_texts.cache_clear()
    assert [(lag.id, lag.what) for lag in check_table_texts(OPTIONS, spec)[1]] == [
        ("wikipedia", "stale")
    ]
    with pytest.raises(SpecError, match="no file"):
        skeleton("pl", "rules", spec)


def test_a_page_is_missing_then_there_then_stale(tmp_path: Path) -> None:
    (tmp_path / "learn.md").write_text("---\nhide: [toc]\n---\n# Learn\n")

    def of_german() -> list[str]:
        return [lag.what for lag in page_lags(tmp_path, ["learn.md"]) if lag.language == "de"]

    assert of_german() == ["missing"]
    own = tmp_path / "translations" / "de" / "learn.md"
    own.parent.mkdir(parents=True)
    source = page_checksum((tmp_path / "learn.md").read_text())
    own.write_text(f"---\nsource: {source}\n---\n# Lernen\n")
    assert of_german() == []
    assert split_page(own.read_text()) == (source, "# Lernen\n")
    # Front matter says nothing to a reader; a sentence does.
    (tmp_path / "learn.md").write_text("# Learn\n")
    assert of_german() == []
    (tmp_path / "learn.md").write_text("# Learn it\n")
    assert of_german() == ["stale"]


def test_a_text_that_lags_stops_a_release_and_a_build(monkeypatch: pytest.MonkeyPatch) -> None:
    languages = load_languages()
    assert languages.released == languages.published
    rules = dict(load_rules())
    old = rules["play.own-cards"]
    text = {**old.text, "en": "A player sings before he plays."}
    rules["play.own-cards"] = replace(old, text=text, data={**old.data, "text": text})
    monkeypatch.setattr(release, "load_rules", lambda: rules)
    monkeypatch.setattr(site, "load_rules", lambda: rules)
    told = [str(fault) for fault in release.release_faults(None, [])]
    for language in ("ru", "uk", "fr", "pt"):
        place = f"spec/translations/{language}/play.yaml"
        assert any(line.startswith(place) and "play.own-cards" in line for line in told), language
    # The build of one language stops where the language is required.
    monkeypatch.setattr(site, "load_languages", lambda: replace(languages, required=("en", "fr")))
    faults = site.build(Path("nowhere"), ["fr"], 1)
    assert "fr: the translation of play play.own-cards is stale" in faults
    assert not Path("nowhere").exists()


def test_check_release_says_what_lags(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        release, "interface_lags", lambda: [Lag("uk", "interface", "nav.home", "missing")]
    )
    for name in ("check_everything", "check_variants"):
        monkeypatch.setattr(checks, name, lambda: checks.Findings((), "in order"))
    done = CliRunner().invoke(check_command.command, ["--release"])
    assert "spec/translations/uk/interface.yaml" in done.output
    assert "nav.home" in done.output


# ------------------------------------------------------------------ editions


def test_changes_are_listed_by_rule(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rules = load_rules()
    kept = sums_of(rules)
    kept["play.beat"] = "0123456789ab"
    kept["play.gone"] = "0123456789ab"
    del kept["claims.enough"]
    (tmp_path / "editions").mkdir()
    (tmp_path / "editions" / "0.0.json").write_text(json.dumps(kept))
    newest, oldest = changes_by_edition(rules, tmp_path, "0.1")
    assert (newest.edition, newest.before) == ("0.1", "0.0")
    assert newest.new == ("claims.enough",)
    assert newest.reworded == ("play.beat",)
    assert newest.withdrawn == ("play.gone",)
    assert oldest.before is None
    monkeypatch.setattr(
        "bauernschnapsen_conformance.rulebook.pages_index.changes_by_edition",
        lambda rules: changes_by_edition(rules, tmp_path, "0.1"),
    )
    book, tongue = load_book(), tongue_of("de")
    page = changes_page(book, tongue).markdown()
    assert 'href="../rules/claims/#claims.enough"' in page
    assert "<code>play.gone</code>" in page
    assert page.index("Neue Regeln") < page.index("Anders gefasst") < page.index("Zurückgezogen")
    (tmp_path / "editions" / "0.0.json").write_text("[]")
    with pytest.raises(SpecError, match="an edition is an object"):
        changes_by_edition(rules, tmp_path)
    shutil.rmtree(tmp_path / "editions")
    assert json.loads(keep_edition(tmp_path).read_bytes()) == sums_of(rules)


@pytest.mark.slow
def test_every_contract_is_in_the_index_with_rules_that_exist() -> None:
    book = load_book()
    page = contract_index_page(book, tongue_of("en")).markdown()
    for name, fields in book.ruleset["contracts"].items():
        row = page[page.index(f'contracts/#c-{name}"') :].partition("<tr>")[0]
        assert f"<td>{fields['value']}<" in row, name
        if fields["played"]:
            assert "rules/contracts/#contracts." in row, name
            assert "<code>pagat</code>" in row, name


@pytest.mark.gates
def test_nothing_lags_in_any_language() -> None:
    docs = Path(__file__).resolve().parents[2] / "docs"
    assert [str(fault) for fault in release.release_faults(docs, READERS_PAGES)] == []
