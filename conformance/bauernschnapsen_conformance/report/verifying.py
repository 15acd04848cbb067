"""Comparing a certificate with a run that was made to verify it."""

from __future__ import annotations

import datetime
from typing import Any

from bauernschnapsen.data.schemas import validate
from bauernschnapsen.errors import SpecError
from bauernschnapsen.ruleset import Resolved, is_shipped, load_ruleset

from ..corpus import Corpus

Json = dict[str, Any]
_COMPARED = {
    "engine": "engine",
    "adapter": "adapter",
    "capabilities": "capabilities",
    "conforming": "conforming",
    "not_observed": "what was not supported or not shown",
    "shown": "what was shown in a view",
    "not_shown": "what was never shown in a view",
    "counts": "verdicts",
    "faults": "faults of the adapter",
    "known_failures": "what is wrong with the list of known failures",
    "stopped": "stopped",
}


def read_certificate(certificate: Any, name: str, corpus: Corpus) -> Json:
    """Return a certificate that can be verified here.

    SpecError where it is none, is of another suite, or certifies nothing since it is not complete.
    """
    errors = validate(certificate, "certificate")
    if errors:
        raise errors[0].located(name)
    found: Json = certificate
    digest = found["suite"]["digest"]
    if digest != corpus.digest:
        raise SpecError(
            f"is of suite {found['suite']['version']} ({digest[:19]}), "
            f"but the one installed here is {corpus.digest[:19]}",
            name,
            field="suite.digest",
            hint="install the version of the suite that issued it",
        )
    if not found["complete"]:
        raise SpecError("is not of a complete run and certifies nothing", name, field="complete")
    for field in ("only", "shard"):
        # It says of itself that it is complete, but not of what.
        if found[field]:
            text = "is of a part of the suite and certifies nothing"
            raise SpecError(text, name, field=field)
    try:
        datetime.date.fromisoformat(found["issued"])
    except ValueError:
        raise SpecError("there is no such day", name, field="issued") from None
    return found


def refuse_borrowed_name(profile: Resolved, name: str) -> None:
    """Raise SpecError for other rules under the name of a ruleset that comes with the suite."""
    called = profile["ruleset"]
    if not is_shipped(called):
        return
    shipped = load_ruleset(called)
    if any(profile[part] != shipped[part] for part in ("contracts", "options")):
        raise SpecError(
            f"the rules are not those of {called}, which comes with the suite",
            name,
            field="profile.ruleset",
            hint="a certificate of other rules says their own name",
        )


def differences(certificate: Json, run: Json) -> list[str]:
    """Return everything in which a run differs from what a certificate says, one line each."""
    found = []
    for key, name in _COMPARED.items():
        if _in_order(certificate[key]) != _in_order(run[key]):
            found.append(f"{name}: certified {_short(certificate[key])}, now {_short(run[key])}")
    for title, level in certificate["levels"].items():
        now = run["levels"][title]
        if level["reached"] != now["reached"]:
            was, is_now = (_reached(one["reached"]) for one in (level, now))
            found.append(f"level {title}: certified as {was}, now {is_now}")
        if level["counts"] != now["counts"]:
            found.append(
                f"level {title}: certified {_counts(level['counts'])}, now {_counts(now['counts'])}"
            )
    if "exhaustive" in certificate:
        found += _exhaustive(certificate["exhaustive"], run.get("exhaustive"))
    if "house_rules" in certificate:
        was, now = certificate["house_rules"], run.get("house_rules", {})
        for key, value in was.items():
            if now.get(key) != value:
                told = f"certified {_short(value)}, now {_short(now.get(key))}"
                found.append(f"house rules, {key}: {told}")
    found += _files(certificate["files"], run["files"])
    return found


def _in_order(value: Any) -> Any:
    """The value with lists in order: an engine may list its starts in any."""
    if isinstance(value, dict):
        return {key: _in_order(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return sorted(map(_in_order, value), key=repr)
    return value


def _exhaustive(certified: Json, now: Json | None) -> list[str]:
    if now is None:
        return ["exhaustive: certified, but not asked now"]
    found = []
    for part in ("legal_plays", "trick_winner", "auctions"):
        for key, value in certified.get(part, {}).items():
            again = now.get(part, {}).get(key)
            if again != value:
                found.append(f"{part}, {key}: certified {_short(value)}, now {_short(again)}")
    return found


def _files(certified: list[Json], now: list[Json]) -> list[str]:
    """The same contents in the same places are the same files, whatever they are called."""
    if [file["digest"] for file in certified] == [file["digest"] for file in now]:
        return []
    then, current = ({file["name"]: file["digest"] for file in files} for files in (certified, now))
    told = []
    for name, digest in then.items():
        if name not in current:
            told.append(f"file {name}: is in the certificate, but not in this command")
        elif current[name] != digest:
            told.append(f"file {name}: its content is not the one that was certified")
    told += [f"file {name}: is not in the certificate" for name in current if name not in then]
    return told


def _reached(value: bool) -> str:
    return "reached" if value else "not reached"


def _counts(counts: Json) -> str:
    return ", ".join(f"{number} {verdict}" for verdict, number in counts.items()) or "nothing"


def _short(value: Any) -> str:
    text = str(value)
    return text if len(text) <= 200 else text[:200] + " ..."
