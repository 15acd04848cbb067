"""Where in its file a scenario says something, for faults that are found after it was read.

A scenario that has been read keeps only the line of its id. Files are therefore read once more, and
only when there is a fault to tell.
"""

from __future__ import annotations

from pathlib import Path

from bauernschnapsen.data.locate import spec_root
from bauernschnapsen.data.yaml_loader import Document, load_yaml
from bauernschnapsen.errors import SpecError, field_path

from ..views import Difference
from .scenario import Expect, Item, Json, Scenario

Pointer = tuple[str | int, ...]


class Places:
    """Tells faults of items with the line they are about; reads every file once."""

    def __init__(self) -> None:
        """Begin with no file read."""
        self._documents: dict[Path, Document | None] = {}

    def fault(
        self, item: Item, inside: Pointer, message: str, hint: str | None = None
    ) -> SpecError:
        """Return an error about what stands at a pointer into an item, with file and line."""
        told = f"{item.id}: {message}"
        found = self._find(item) if isinstance(item, Scenario) else None
        if found is None:
            field = field_path(inside) or None
            return SpecError(told, item.origin.file, item.origin.line, field=field, hint=hint)
        document, start, entry = found
        if inside and "play_on" in entry and inside[0] not in entry:
            inside = ("play_on", 0, *inside)  # a list of one deal reads like a single deal
        pointer = (*start, *inside)
        line, column = document.where_key(pointer)
        return SpecError(told, item.origin.file, line, column, field_path(pointer), hint)

    def fault_of_file(
        self, item: Scenario, pointer: Pointer, message: str, hint: str | None = None
    ) -> SpecError:
        """Return an error about what stands at a pointer into the whole file of a scenario."""
        found = self._find(item)
        line = found[0].where_key(pointer)[0] if found else 1
        return SpecError(message, item.origin.file, line, field=field_path(pointer), hint=hint)

    def _find(self, item: Scenario) -> tuple[Document, Pointer, Json] | None:
        """Return the document that a scenario stands in, where, and the entry there.

        None where the file has changed since.
        """
        written = Path(item.origin.file)
        for path in (written, spec_root().parent / written):
            document = self._read(path)
            entries = document.value.get("scenarios", ()) if document else ()
            for place, entry in enumerate(entries):
                start: Pointer = ("scenarios", place)
                if document and entry["id"] == item.id:
                    if document.where((*start, "id"))[0] == item.origin.line:
                        return document, start, entry
                    break
        return None

    def _read(self, path: Path) -> Document | None:
        if path not in self._documents:
            try:
                document: Document | None = load_yaml(path)
            except SpecError:
                document = None
            self._documents[path] = document
        return self._documents[path]


def place_of_deal(item: Item, deal: int) -> Pointer:
    """Return where an item says a deal, counted from 0."""
    return ("play_on", deal) if isinstance(item, Scenario) and len(item.deals) > 1 else ()


def place_of_action(item: Item, deal: int, number: int) -> Pointer:
    """Return where an item says an action of a deal, counted from 1; refused ones count, too."""
    start: Pointer = (*place_of_deal(item, deal), "steps")
    if isinstance(item, Scenario):
        actions = 0
        for place, step in enumerate(item.deals[deal].steps):
            actions += not isinstance(step, Expect)
            if actions == number:
                return (*start, place)
    return start


def place_of_difference(item: Item, difference: Difference) -> Pointer:
    """Return where an item says what a difference contradicts: a step, or a field of one."""
    if not isinstance(item, Scenario):
        return difference.path
    if difference.path[0] == "refused":
        return place_of_action(item, difference.deal, difference.view)
    start: Pointer = (*place_of_deal(item, difference.deal), "steps")
    actions = 0
    for place, step in enumerate(item.deals[difference.deal].steps):
        if not isinstance(step, Expect):
            actions += 1
        elif actions == difference.view:
            return (*start, place, "expect", *_inside(step, difference))
    return start


def _inside(step: Expect, difference: Difference) -> Pointer:
    """Return where an expectation says it: `can` and `cannot` are lists of their own."""
    if isinstance(difference.expected, str) and difference.path[0] == "legal":
        lists = {"contains ": ("can", step.can), "does not contain ": ("cannot", step.cannot)}
        for words, (key, pairs) in lists.items():
            for place, (seat, action) in enumerate(pairs):
                said = (seat, f"{words}{action!r}") == (difference.path[1], difference.expected)
                if said:
                    return (key, place)
    return difference.path
