"""The corpus: scenario and position files, read, checked and held against the reference engine."""

from .corpus import Corpus, load_corpus, load_corpus_with_errors
from .reference import Prepared, applies, home_rules, prepare, untrue
from .scenario import Item, PositionCase, Scenario

__all__ = [
    "Corpus",
    "Item",
    "PositionCase",
    "Prepared",
    "Scenario",
    "applies",
    "home_rules",
    "load_corpus",
    "load_corpus_with_errors",
    "prepare",
    "untrue",
]
