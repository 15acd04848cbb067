"""The only way YAML gets in: a small, strict and quick subset, the same for every file.

Scalars follow the core schema of YAML 1.2, and less: `true` and `false`, whole decimal numbers,
`null`, `~` or nothing. Everything else is text, also `on`, `no`, `22:0`, `1.5` and `0x1F`, which
YAML 1.1 turns into something else. What makes data hard to read or dangerous is refused with line
and column: duplicate keys, anchors, aliases, tags, merge keys, directives, several documents in a
file, keys that are not text, characters that do not show. Size, depth, number of values and length
of numbers are bounded.

Values are built straight from libyaml's events, or from PyYAML's own parser where libyaml is
missing, so none of PyYAML's resolvers and constructors ever runs. Positions are not kept: a message
that needs one parses the text again, and a file without mistakes never does.
"""

from __future__ import annotations

import os
import re
import stat
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Never

import yaml
from yaml.events import (
    AliasEvent,
    DocumentStartEvent,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
    StreamEndEvent,
)

from ..errors import SpecError, field_path, printable, quoted
from . import yaml_parser
from .yaml_positions import position_of


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds on one document. `digits` is the longest whole number, without the minus."""

    bytes: int = 1024 * 1024
    depth: int = 40
    values: int = 200_000
    digits: int = 18


DEFAULT_LIMITS = Limits()


@dataclass(frozen=True, slots=True)
class Document:
    """What a file says: `value` is made of dict, list, str, int, bool and None only.

    `file` is its name for messages; `text` is kept to find positions when a message needs them.
    """

    file: str
    value: Any
    text: str = field(repr=False, compare=False)

    def where(self, pointer: tuple[str | int, ...] = ()) -> tuple[int, int]:
        """Line and column, from 1, of the value at `pointer`, else of its nearest ancestor."""
        return position_of(self.text, pointer, key=False)

    def where_key(self, pointer: tuple[str | int, ...]) -> tuple[int, int]:
        """Line and column, from 1, of the key at the end of `pointer` (or of the list item)."""
        return position_of(self.text, pointer, key=True)

    def error(
        self,
        pointer: tuple[str | int, ...],
        message: str,
        hint: str | None = None,
        *,
        at_key: bool = False,
    ) -> SpecError:
        """A SpecError about the value (or key) at `pointer`: file, line and field filled in."""
        line, column = self.where_key(pointer) if at_key else self.where(pointer)
        return SpecError(message, self.file, line, column, field_path(pointer) or None, hint)


def load_yaml(path: Path | str, *, limits: Limits = DEFAULT_LIMITS) -> Document:
    """Read one YAML file. Raises SpecError, with the line if there is one."""
    name = printable(os.fspath(path))
    try:
        # Looked at first: opening a pipe would wait, and a device never ends.
        status = os.stat(path)
        if stat.S_ISDIR(status.st_mode):
            raise SpecError("is a directory, expected a YAML file", file=name)
        if not stat.S_ISREG(status.st_mode):
            raise SpecError("is not an ordinary file, expected a YAML file", file=name)
        if status.st_size > limits.bytes:
            _too_large(name, limits)
        with open(path, "rb") as stream:
            data = stream.read(limits.bytes + 1)
    except FileNotFoundError:
        raise SpecError("no such file", file=name, hint="check the path") from None
    except (OSError, ValueError) as error:  # ValueError: a NUL in the path
        reason = error.strerror if isinstance(error, OSError) else None
        raise SpecError(f"cannot be read: {reason or error}", file=name) from None
    if len(data) > limits.bytes:  # it grew meanwhile, or its size was not known
        _too_large(name, limits)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise SpecError("is not UTF-8", name, line, hint="save the file as UTF-8") from None
    return load_yaml_text(text, name, limits=limits)


def load_yaml_text(text: str, name: str, *, limits: Limits = DEFAULT_LIMITS) -> Document:
    """Read YAML from a string; `name` stands for the file in messages. Raises SpecError."""
    if len(text) > limits.bytes:
        _too_large(name, limits)
    if (bad := _FORBIDDEN.search(text)) is not None:
        before = text[: bad.start()]
        tab = bad[0] == "\t"
        raise SpecError(
            "a tab is not allowed" if tab else f"character U+{ord(bad[0]):04X} is not allowed",
            name,
            before.count("\n") + 1,
            bad.start() - before.rfind("\n"),
            hint="use spaces" if tab else "delete it, or write it as an escape in double quotes",
        )
    reader = _Reader(name, limits)
    try:
        return Document(name, reader.read(yaml_parser.new_parser(text)), text)
    except yaml.MarkedYAMLError as error:
        raise _syntax_error(error, name, limits) from None
    except yaml.YAMLError as error:
        raise SpecError(f"YAML syntax: {printable(str(error))}", name) from None


# Everything that YAML 1.2 calls unprintable, and the line breaks of YAML 1.1 that no editor counts
# (next line, line and paragraph separator): lines in messages would be wrong. No byte order mark
# inside a file either, and no tab, on which the two parsers do not agree.
_FORBIDDEN = re.compile(
    "[^\n\r\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]"
)
_WORDS: dict[str, bool | None] = {
    "": None, "~": None, "null": None, "true": True, "false": False,
}  # fmt: skip
_WHOLE_NUMBER = re.compile(r"0|-?[1-9][0-9]*").fullmatch
_FIRST_OF_NUMBER = frozenset("-0123456789")
_NO_KEY = object()


class _Reader:
    """Builds the value of one document from the parser's events."""

    __slots__ = ("limits", "name", "open")

    def __init__(self, name: str, limits: Limits) -> None:
        self.name = name
        self.limits = limits
        # The containers that are not closed yet, outermost first. The first is a list that holds
        # the document's one value, so that the top needs no case of its own.
        self.open: list[Any] = [[]]

    def read(self, parser: Any) -> Any:  # noqa: PLR0912 - one flat loop, since it runs per value
        """The value. A loop over events, not recursion: depth is data here, not stack."""
        next_event = parser.get_event
        opened = self.open
        into: Any = opened[0]
        is_mapping = False
        key: Any = _NO_KEY
        room = self.limits.values
        documents = 0
        while True:
            event = next_event()
            kind = type(event)
            if kind is ScalarEvent:
                room -= 1
                if room < 0 or event.tag is not None or event.anchor is not None:
                    self._refuse_value(event)
                value = event.value
                if event.implicit[0]:  # plain, so perhaps not text
                    if value in _WORDS:
                        value = _WORDS[value]
                    elif value[0] in _FIRST_OF_NUMBER and _WHOLE_NUMBER(value):
                        value = self._number(value, event)
                if not is_mapping:
                    into.append(value)
                elif key is _NO_KEY:
                    if type(value) is not str or value in into or value == "<<":
                        self._refuse_key(event, value, into)
                    key = value
                else:
                    into[key] = value
                    key = _NO_KEY
            elif kind is MappingStartEvent or kind is SequenceStartEvent:
                room -= 1
                if room < 0 or event.tag is not None or event.anchor is not None:
                    self._refuse_value(event)
                if len(opened) > self.limits.depth:
                    self._too_deep(event)
                value = {} if kind is MappingStartEvent else []
                if not is_mapping:
                    into.append(value)
                elif key is _NO_KEY:
                    self._fail(event, "a list or mapping is used as a key; expected text")
                else:
                    into[key] = value
                    key = _NO_KEY
                opened.append(value)
                into = value
                is_mapping = kind is MappingStartEvent
            elif kind is AliasEvent:
                self._fail(event, "an alias (*NAME) is not allowed", "write the value out")
            elif kind is DocumentStartEvent:
                documents += 1
                if documents > 1:
                    self._fail(
                        event, "a second document begins here; expected one", "remove the '---'"
                    )
                if event.version or event.tags:
                    self._fail(event, "a directive (%YAML, %TAG) is not allowed", "remove the line")
            elif kind is StreamEndEvent:
                return opened[0][0] if opened[0] else None
            elif kind is MappingEndEvent or kind is SequenceEndEvent:
                opened.pop()
                into = opened[-1]
                is_mapping = type(into) is dict

    def _too_deep(self, event: Any) -> Never:
        del self.open[2:]  # a path of forty steps helps nobody; the line does
        self._fail(event, f"is nested more than {self.limits.depth} levels deep")

    def _number(self, text: str, event: ScalarEvent) -> int:
        if len(text.lstrip("-")) > self.limits.digits:
            self._fail(event, f"a number with more than {self.limits.digits} digits")
        return int(text)

    def _refuse_value(self, event: Any) -> Never:
        if event.anchor is not None:
            self._fail(event, "an anchor (&NAME) is not allowed", "write the value out each time")
        if event.tag is not None:
            self._fail(event, "a tag (!NAME) is not allowed", "remove it")
        self._fail(event, f"more than {self.limits.values} values")

    def _refuse_key(self, event: ScalarEvent, value: object, into: dict[str, Any]) -> None:
        if type(value) is not str:
            shown = quoted(event.value) if event.value else "nothing"
            self._fail(event, f"{shown} is used as a key; expected text", "put it in quotes")
        if value == "<<" and event.implicit[0]:
            self._fail(event, "a merge key (<<) is not allowed", "write the fields out")
        if value in into:
            self._fail(event, f"the key {quoted(value)} is given twice", "remove one of them")

    def _fail(self, event: Any, message: str, hint: str | None = None) -> Never:
        mark = event.start_mark
        raise SpecError(
            message,
            self.name,
            mark.line + 1,
            mark.column + 1,
            field_path(self._pointer()) or None,
            hint,
        )

    def _pointer(self) -> list[str | int]:
        """The path to the innermost open container: each is the newest entry of the one before."""
        return [
            next(reversed(parent)) if type(parent) is dict else len(parent) - 1
            for parent in self.open[1:-1]
        ]


def _too_large(name: str, limits: Limits) -> Never:
    raise SpecError(
        f"is larger than {limits.bytes} bytes, the most that is read", name, hint="split the file"
    )


def _syntax_error(error: yaml.MarkedYAMLError, name: str, limits: Limits) -> SpecError:
    """The parser's complaint as one line; its wording is kept since people search for it."""
    mark = error.problem_mark or error.context_mark
    problem = error.problem or error.context or "cannot be parsed"
    text = printable(f"{error.context}, {problem}" if error.context else problem)
    hint = None
    if "mapping values are not allowed" in problem:
        hint = "look at the indentation; a text that contains ': ' must be in quotes"
    elif "cannot start any token" in problem:
        hint = "a text that begins with a sign must be in quotes"
    elif "could not find expected ':'" in problem or "did not find expected" in problem:
        hint = "look at the indentation and at quotes and brackets that are not closed"
    elif "quoted scalar" in text:
        mark = error.context_mark or mark  # where the quote opens, not the end of the file
        hint = "the quote that opens here is not closed"
    elif "nesting depth" in problem:  # libyaml reads ahead, and met its own bound before ours
        text = f"is nested more than {limits.depth} levels deep"
    if mark is None:
        return SpecError(f"YAML syntax: {text}", name, hint=hint)
    return SpecError(f"YAML syntax: {text}", name, mark.line + 1, mark.column + 1, hint=hint)
