"""Pages for engine authors that are made from data: messages and files, engines."""

from __future__ import annotations

import json
from html import escape
from pathlib import Path
from typing import Any

from bauernschnapsen.data.locate import schemas_root
from bauernschnapsen.data.schemas import validate
from bauernschnapsen.errors import SpecError

from .page import Heading, Page, table
from .tongue import Tongue

Json = dict[str, Any]


def schemas_page(tongue: Tongue) -> Page:
    """Return every message and kind of file with its fields, from the schemas."""
    page = Page("manual/schemas.md", tongue("schemas.title"))
    schemas = {
        path.stem.removesuffix(".schema"): json.loads(path.read_bytes()) for path in _files()
    }
    # The messages first, then the files.
    for name in sorted(schemas, key=lambda one: (not one.startswith("wire-"), one)):
        schema = schemas[name]
        page.add(Heading(2, f"<code>{name}</code>", f"schema-{name}", name))
        title, text = schema.get("title", ""), schema.get("description", "")
        page.add(f'<p lang="en"><b>{escape(title)}.</b> {escape(text)}</p>')
        for label, part in (("", schema), *schema.get("$defs", {}).items()):
            rows = _fields(part)
            if rows:
                if label:
                    page.add(f"<p><code>{escape(label)}</code></p>")
                page.add(f'<div lang="en">{table(["", "", ""], rows, "bs-data bs-schema")}</div>')
    return page


def engines_page(tongue: Tongue, folder: Path) -> Page:
    """Return the engines whose certificates lie in a folder, the most complete first."""
    page = Page("engines.md", tongue("engines.title"))
    page.add(f"<p>{tongue('engines.intro')}</p>")
    found = [read_certificate(path) for path in sorted(folder.glob("*.json"))]
    found.sort(key=lambda one: (-len(one["levels"]), one["engine"]["name"].casefold()))
    rows = []
    for one in found:
        engine = one["engine"]
        levels = ", ".join(map(str, one["levels"])) or tongue("engines.none")
        rows.append(
            [
                f"{escape(engine['name'])} {escape(engine['version'])}",
                escape(engine.get("language", "")),
                f"<code>{escape(_profile(one))}</code>",
                escape(levels),
                str(one["counts"]["pass"]),
                escape(one["suite"]["version"]),
            ]
        )
    keys = ("engine", "language", "ruleset", "levels", "passed", "suite")
    head = [tongue(f"engines.{key}") for key in keys]
    page.add(table(head, rows, "bs-data bs-stack", labelled=True))
    return page


def read_certificate(path: Path) -> Json:
    """Return a certificate. SpecError if it is none: what is sent in is not trusted."""
    try:
        value = json.loads(path.read_bytes())
    except ValueError as error:
        raise SpecError(f"this is no JSON: {error}", str(path)) from None
    faults = validate(value, "certificate")
    if faults:
        raise faults[0].located(str(path))
    certificate: Json = value
    return certificate


def _profile(certificate: Json) -> str:
    profile = certificate.get("profile", {})
    return str(profile.get("ruleset", profile)) if isinstance(profile, dict) else str(profile)


def _files() -> list[Path]:
    return sorted(schemas_root().glob("*.schema.json"))


def _fields(part: Json) -> list[list[str]]:
    required = part.get("required", ())
    rows = []
    for name, about in part.get("properties", {}).items():
        mark = "" if name in required else " ?"
        rows.append([f"<code>{escape(name)}</code>{mark}", _kind(about), escape(_described(about))])
    return rows


def _described(about: Any) -> str:
    return str(about.get("description", "")) if isinstance(about, dict) else ""


def _kind(about: Any) -> str:
    if not isinstance(about, dict):
        return ""
    if "$ref" in about:
        return f"<code>{escape(about['$ref'].rsplit('/', 1)[-1].rsplit(':', 1)[-1])}</code>"
    if "enum" in about:
        return ", ".join(f"<code>{escape(json.dumps(one))}</code>" for one in about["enum"][:12])
    if "const" in about:
        return f"<code>{escape(json.dumps(about['const']))}</code>"
    if "anyOf" in about or "oneOf" in about:
        return " | ".join(filter(None, map(_kind, about.get("anyOf") or about["oneOf"])))
    kind = about.get("type", "")
    if kind == "array" and isinstance(about.get("items"), dict):
        return f"{_kind(about['items']) or 'array'} […]"
    return escape(" | ".join(kind) if isinstance(kind, list) else str(kind))
