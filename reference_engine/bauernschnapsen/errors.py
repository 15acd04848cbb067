"""The two kinds of trouble, and what becomes of each.

`SpecError`: data is not what it should be: a file that cannot be read, YAML that breaks our rules,
a field the schema does not know, a deal of nineteen cards. It is born where the data is read, and
says what is wrong, where, what was expected and what to do. Whoever knows more adds it on the way
up (`located`: the file and line; `within`: the field around it) and never swallows it. Code that
can find several faults in one go returns a list of them instead of raising the first. The command
line prints one line each and exits with 2; there is never a traceback.

`Refusal`: an action breaks a rule of the game. It is born in the chapter that implements the rule
and carries the rule's id. The table catches it, leaves its state as it was and reports the id,
since a refused action is an ordinary answer of an engine and no fault of the program.

Any other exception is a bug in this project and is allowed to look like one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

# Longest piece of foreign text that a message repeats. Input is hostile until validated: a message
# must stay one readable line even if the offending value is a megabyte of control characters.
MAX_QUOTED = 60

# Keys that a field path shows bare; anything else is quoted, so that the path stays unambiguous.
_BARE_KEY = re.compile(r"[A-Za-z0-9_-]{1,60}")


@dataclass(eq=True)
class SpecError(Exception):
    """Bad data, told to a person.

    `message` says what is wrong and what was expected, in one sentence without a full stop.
    `file` is a path or another name of the source; `line` and `column` count from 1;
    `field` is a path into the data such as `contracts.bettler.value` or `scenarios[3].id`;
    `hint` says what to do. Unknown parts are None.
    """

    message: str
    file: str | None = None
    line: int | None = None
    column: int | None = None
    field: str | None = None
    hint: str | None = None

    # Frozen is impossible (raising sets __traceback__), so hash by identity like other exceptions.
    __hash__ = Exception.__hash__

    def __post_init__(self) -> None:
        """Give the base class its arguments, so that pickling and copying work."""
        super().__init__(self.message, self.file, self.line, self.column, self.field, self.hint)

    def __str__(self) -> str:
        """One line: `FILE:LINE: FIELD: message (hint)`, with the unknown parts left out."""
        parts = []
        if self.file is not None:
            parts.append(self.file if self.line is None else f"{self.file}:{self.line}")
        elif self.line is not None:
            parts.append(f"line {self.line}")
        if self.field:
            parts.append(self.field)
        parts.append(self.message)
        text = ": ".join(parts)
        return f"{text} ({self.hint})" if self.hint else text

    def located(
        self, file: str | None, line: int | None = None, column: int | None = None
    ) -> SpecError:
        """A copy that also says where, unless this error knows that already."""
        return SpecError(
            self.message,
            file if self.file is None else self.file,
            line if self.line is None else self.line,
            column if self.line is None else self.column,
            self.field,
            self.hint,
        )

    def within(self, field: str) -> SpecError:
        """A copy whose field is taken as part of `field` (`value` within `contracts.gang`)."""
        if not self.field:
            inner = field
        elif self.field.startswith("["):
            inner = field + self.field
        else:
            inner = f"{field}.{self.field}"
        return SpecError(self.message, self.file, self.line, self.column, inner, self.hint)


class Refusal(Exception):
    """An action breaks a rule of the game.

    `rule` is the id of the first rule it breaks, in the order of precedence: form, phase, sitting
    out, turn, card held, seat's right, holding, rank of the bid, trick or marriage rule.
    `message` is one plain sentence for the player.
    """

    def __init__(self, rule: str, message: str) -> None:
        """Keep both parts; the text of the exception shows them together."""
        # No call of super: an exception keeps its arguments by itself, and a deal makes hundreds.
        self.rule = rule
        self.message = message

    def __str__(self) -> str:
        """`rule.id: message`."""
        return f"{self.rule}: {self.message}"


def quoted(value: object) -> str:
    """`value` as a message may repeat it: printable, one line, at most `MAX_QUOTED` characters."""
    text = value if isinstance(value, str) else repr(value)
    text = printable(text[: MAX_QUOTED + 1])
    if len(text) > MAX_QUOTED:
        text = text[: MAX_QUOTED - 3] + "..."
    return f"'{text}'"


def printable(text: str) -> str:
    """`text` with everything replaced that could move the cursor, break the line or not encode."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text)


def field_path(pointer: Sequence[str | int]) -> str:
    """Keys and list indices (from 0) as one path: `scenarios[3].steps[0]`; empty for the whole."""
    path = ""
    for part in pointer:
        if isinstance(part, int):
            path += f"[{part}]"
        else:
            key = part if _BARE_KEY.fullmatch(part) else quoted(part)
            path += f".{key}" if path else key
    return path


def did_you_mean(word: str, known: Iterable[str]) -> str | None:
    """A hint naming the known word that looks most like `word`, or None."""
    if len(word) > MAX_QUOTED:
        return None
    from difflib import get_close_matches  # only after a mistake: it costs start-up time

    close = get_close_matches(word, list(known), n=1, cutoff=0.6)
    return f"did you mean '{close[0]}'?" if close else None
