"""The changes that a mutation tool makes to a module of the engine, without those of no effect.

cosmic-ray supplies the operators. Two changes are one if the code that they leave is the same once
everything is put aside that cannot alter an answer:

- annotations and docstrings; asserts and the word `strict` of `zip`, which only guard against
  mistakes of the engine itself; caches, which are there for speed;
- identity instead of equality: what it does to words depends on how the interpreter stores them,
  and to numbers and contracts it does nothing;
- how a word or number of the ruleset is compared: `order == "listed"` and `order >= "listed"` are
  the same where both hold for the same values of the ruleset's schema. What matters is for which
  values a comparison holds.
"""

from __future__ import annotations

import ast
import copy
import json
import operator
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import bauernschnapsen
from bauernschnapsen import position
from bauernschnapsen.data.locate import schemas_root

_PHASES = {
    name: getattr(position, name) for name in ("TRUMP", "AUCTION", "TALON", "PLAY", "SHOW", "OVER")
}
_COMPARED: dict[type[ast.cmpop], Callable[[Any, Any], bool]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}
_OPPOSITE: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Lt: ast.GtE,
    ast.GtE: ast.Lt,
    ast.Gt: ast.LtE,
    ast.LtE: ast.Gt,
}
_MOST_VALUES = 100


@dataclass(frozen=True, slots=True)
class SourceMutant:
    """One change of one place of a module, as a tool makes it."""

    module: str
    operator: str
    occurrence: int
    line: int
    before: str
    after: str

    @property
    def key(self) -> str:
        """What identifies it although lines move: module and the changed text."""
        return f"{self.module}: {self.before}  ->  {self.after}"


def source_mutants(module: str) -> Iterator[tuple[SourceMutant, str]]:
    """Yield every mutant of a module of the engine with its source, each change once."""
    source = _Source(module)
    seen: set[tuple[int, str]] = set()
    for place in source.places():
        made = source.change(place)
        if made is not None and made.code not in seen:
            seen.add(made.code)
            yield made.mutant, made.text


def sampled_mutants(
    modules: tuple[str, ...], count: int, seed: int
) -> Iterator[tuple[SourceMutant, str]]:
    """Yield some mutants of some modules, chosen by the seed among the places of all operators."""
    sources = [_Source(module) for module in modules]
    places = [(source, place) for source in sources for place in source.places()]
    random.Random(seed).shuffle(places)
    seen: set[tuple[str, int, str]] = set()
    for source, place in places:
        if len(seen) == count:
            return
        made = source.change(place)
        if made is not None and (source.module, *made.code) not in seen:
            seen.add((source.module, *made.code))
            yield made.mutant, made.text


# --------------------------------------------------------------------------- changing a module


@dataclass(frozen=True, slots=True)
class _Place:
    """Where an operator applies: a node of the tree, and which of the operator's changes to it."""

    operator: str
    occurrence: int
    node: Any
    index: int


@dataclass(frozen=True, slots=True)
class _Change:
    """A change that has an effect: `code` is what identifies the code that it leaves."""

    mutant: SourceMutant
    text: str
    code: tuple[int, str]


class _Source:
    """A module as a tree in which one node at a time is replaced."""

    def __init__(self, module: str) -> None:
        from cosmic_ray.ast import ast_nodes, get_ast

        self.module = module
        self.text = path_of(module).read_text(encoding="utf-8")
        self._tree = get_ast(self.text)
        self._nodes = list(ast_nodes(self._tree))
        self._parts = [part.get_code() for part in self._tree.children]
        self._bare = [code_that_counts(part) for part in self._parts]

    def places(self) -> Iterator[_Place]:
        """Yield all places of all operators that need no arguments.

        Those that put identity for another comparison are left out: each has a twin that puts
        equality, and of two changes that are one the same must be named in every sample.
        """
        from cosmic_ray.plugins import get_operator, operator_names

        for name in sorted(operator_names()):
            identity = name.endswith(("_Is", "_IsNot")) and name.count("_Is") == 1
            if identity or get_operator(name).arguments():
                continue
            operator_ = get_operator(name)()
            occurrence = 0
            for node in self._nodes:
                for index, _ in enumerate(operator_.mutation_positions(node)):
                    yield _Place(name, occurrence, node, index)
                    occurrence += 1

    def change(self, place: _Place) -> _Change | None:
        """Return what an operator makes of the module, or None if that has no effect."""
        from cosmic_ray.plugins import get_operator

        number, part = self._part_with(place.node, get_operator(place.operator)(), place.index)
        try:
            bare = code_that_counts(part)
        except SyntaxError:
            return None
        if bare == self._bare[number]:
            return None
        text = "".join([*self._parts[:number], part, *self._parts[number + 1 :]])
        mutant = SourceMutant(
            self.module, place.operator, place.occurrence, *_changed_line(self.text, text)
        )
        return _Change(mutant, text, (number, bare))

    def _part_with(self, node: Any, operator_: Any, index: int) -> tuple[int, str]:
        """Return the number and new text of the outermost part of the module that a change hits."""
        parent, node.parent = node.parent, None  # what lies around it is not copied
        try:
            changed = copy.deepcopy(node)
        finally:
            node.parent = parent
        changed.parent = parent
        changed = operator_.mutate(changed, index)
        outer = node
        while outer.parent is not self._tree:
            outer = outer.parent
        place = next(at for at, child in enumerate(parent.children) if child is node)
        parent.children[place : place + 1] = [] if changed is None else [changed]
        try:
            number = next(at for at, child in enumerate(self._tree.children) if child is outer)
            return number, self._tree.children[number].get_code()
        finally:
            parent.children[place : place + (changed is not None)] = [node]


def path_of(module: str) -> Path:
    """Return the file of a module of the engine."""
    return Path(bauernschnapsen.__file__).parent / f"{module}.py"


def _changed_line(original: str, mutated: str) -> tuple[int, str, str]:
    old, new = original.splitlines(), mutated.splitlines()
    for number, (before, after) in enumerate(zip(old, new, strict=False), start=1):
        if before != after:
            return number, before.strip(), after.strip()
    return min(len(old), len(new)), "", ""


# --------------------------------------------------------------------------- what counts


def code_that_counts(source: str) -> str:
    """Return what is left of some code when nothing is kept that cannot alter an answer."""
    return ast.dump(_Bare().visit(ast.parse(source)))


class _Bare(ast.NodeTransformer):
    """Takes from a tree what cannot alter an answer; see the module."""

    def __init__(self) -> None:
        self._locals: dict[str, str] = {}

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.returns = None
        for argument in (*node.args.args, *node.args.kwonlyargs, *node.args.posonlyargs):
            argument.annotation = None
        node.decorator_list = [one for one in node.decorator_list if "lru_cache" not in _text(one)]
        node.body = _without_docstring(node.body)
        outer = self._locals
        self._locals = {
            target.id: inner.value.attr
            for inner in ast.walk(node)
            if isinstance(inner, ast.Assign) and isinstance(inner.value, ast.Attribute)
            for target in inner.targets
            if isinstance(target, ast.Name)
        }
        visited = self.generic_visit(node)
        self._locals = outer
        return visited

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        node.body = _without_docstring(node.body)
        return self.generic_visit(node)

    def visit_Module(self, node: ast.Module) -> ast.AST:
        node.body = _without_docstring(node.body)
        return self.generic_visit(node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        node.annotation = ast.Constant(value=None)
        return self.generic_visit(node)

    def visit_Assert(self, node: ast.Assert) -> ast.AST:
        node.test = ast.Constant(value=True)
        return node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        if isinstance(node.func, ast.Name) and node.func.id == "zip":
            node.keywords = []
        return self.generic_visit(node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.AST:
        inner = node.operand
        if not isinstance(node.op, ast.Not) or not isinstance(inner, ast.Compare):
            return self.generic_visit(node)
        opposite = _OPPOSITE.get(_as_equality(inner.ops[0]))
        if len(inner.ops) != 1 or opposite is None:
            return self.generic_visit(node)
        return self.visit_Compare(ast.Compare(inner.left, [opposite()], inner.comparators))

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        self.generic_visit(node)
        node.ops = [_as_equality(one)() for one in node.ops]
        field, value = self._field(node.left), _constant(node.comparators[0])
        known = _values().get(field or "")
        if len(node.ops) != 1 or known is None or type(value) is not type(known[0]):
            return node
        holds = _COMPARED.get(type(node.ops[0]))
        if holds is None:
            return node
        true_for: list[ast.expr] = [ast.Constant(one) for one in known if holds(one, value)]
        return ast.Tuple([node.left, *true_for], ast.Load())

    def _field(self, node: ast.expr) -> str | None:
        if isinstance(node, ast.Attribute):
            return node.attr
        return self._locals.get(node.id) if isinstance(node, ast.Name) else None


def _as_equality(one: ast.cmpop) -> type[ast.cmpop]:
    if isinstance(one, ast.Is):
        return ast.Eq
    return ast.NotEq if isinstance(one, ast.IsNot) else type(one)


def _constant(node: ast.expr) -> str | int | None:
    """Return the word or number that a comparison names, also by the constant for a phase."""
    if isinstance(node, ast.Name):
        return _PHASES.get(node.id)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        inner = _constant(node.operand)
        return -inner if isinstance(inner, int) else None
    if isinstance(node, ast.Constant) and isinstance(node.value, str | int):
        return node.value
    return None


@cache
def _values() -> dict[str, tuple[str, ...] | tuple[int, ...]]:
    """Return the values that each field of a ruleset and the phase of a position can have."""
    schema = json.loads((schemas_root() / "ruleset.schema.json").read_text(encoding="utf-8"))
    found = {"phase": tuple(_PHASES.values())}
    for kind in ("contract", "options"):
        for name, field in schema["$defs"][kind]["properties"].items():
            values = field.get("enum")
            if field.get("$ref") == "#/$defs/duty":
                values = schema["$defs"]["duty"]["enum"]
            elif values is None and field.get("type") == "integer":
                values = range(field["minimum"], field["maximum"] + 1)
            if values is not None and len(values) <= _MOST_VALUES and _of_one_type(values):
                found[name] = tuple(values)
    return found


def _of_one_type(values: Any) -> bool:
    return {type(one) for one in values} in ({str}, {int})


def _text(node: ast.expr) -> str:
    return ast.unparse(node)


def _without_docstring(body: list[ast.stmt]) -> list[ast.stmt]:
    kept = [
        node
        for node in body
        if not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))
    ]
    return kept or [ast.Pass()]
