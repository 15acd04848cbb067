"""What can be played in a page: examples, "What may I play here?", and the free table.

`*.mjs` run in the reader's browser, on the JavaScript engine that passes the suite; `bundle.py`
makes one plain script of them, so that a page opened from a folder can load it, too. `examples.py`
gives scenarios to that script as data.
"""

from .examples import example_data

__all__ = ["example_data"]
