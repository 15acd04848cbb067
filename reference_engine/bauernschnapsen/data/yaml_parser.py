"""The parser that turns YAML text into events: libyaml's where PyYAML has it, else PyYAML's own.

Both give the same events for everything the loader lets through; a test compares them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import yaml
from yaml.parser import Parser
from yaml.reader import Reader
from yaml.scanner import Scanner


class PurePythonParser(Reader, Scanner, Parser):
    """PyYAML's parser in Python, about ten times slower."""

    def __init__(self, text: str) -> None:
        """Begin to parse `text`."""
        Reader.__init__(self, text)
        Scanner.__init__(self)
        Parser.__init__(self)


# Called with a text; the result's get_event() gives one event after the other.
new_parser: Callable[[str], Any] = PurePythonParser
if yaml.__with_libyaml__:
    from yaml import cyaml

    new_parser = cyaml.CParser  # type: ignore[attr-defined]  # the stubs do not name it
