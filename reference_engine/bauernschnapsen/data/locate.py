"""Where the rules (`spec/`) and the JSON Schemas (`schemas/`) are.

An installed wheel carries both inside the package. In a checkout, and so in an editable install,
they are top-level folders beside the source root, and are read from there: what is edited is what
runs.
"""

from __future__ import annotations

from pathlib import Path

from ..errors import SpecError

_PACKAGE = Path(__file__).resolve().parent.parent
# Folder of a checkout that contains the package; a folder `spec` beside any other is not ours.
_SOURCE_ROOT = "reference_engine"


def spec_root() -> Path:
    """The folder with the rules as data: rules/, rulesets/, scenarios/, glossary.yaml.

    Raises SpecError if there is none.
    """
    return _folder("spec")


def schemas_root() -> Path:
    """The folder with the JSON Schemas, `NAME.schema.json` each.

    Raises SpecError if there is none.
    """
    return _folder("schemas")


def _folder(name: str, package: Path | None = None) -> Path:
    package = package or _PACKAGE
    candidates = [package / name]
    if package.parent.name == _SOURCE_ROOT:
        candidates.append(package.parent.parent / name)
    for folder in candidates:
        if folder.is_dir():
            return folder
    raise SpecError(
        f"the folder '{name}' of bauernschnapsen was not found",
        file=str(candidates[-1]),
        hint="the installation is incomplete: install it again, or run from a complete checkout",
    )
