"""The rulebook: pages made from the rules, rulesets, scenarios and glossary under spec/.

`model.py` holds what a book says under one ruleset, `tongue.py` one reader's language, `page.py`
the form of a page, `pages_*.py` one kind of page each. `hook.py` gives the pages to mkdocs, one
language at a time; `site.py` builds all languages and `checks.py` reads the result over;
`single.py` prints the book of a ruleset of one's own into one HTML file. Nothing here is written
twice: a text stands in spec/ and nowhere else.
"""

from .model import Book, load_book
from .tongue import Tongue

__all__ = ["Book", "Tongue", "load_book"]
