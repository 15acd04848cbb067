"""The figures of the last gates, as README.md shows them between two markers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bauernschnapsen.errors import SpecError

Json = dict[str, Any]
BEGIN, END = "<!-- figures -->", "<!-- end of figures -->"


def with_figures(text: str, result: Mapping[str, Any]) -> str:
    """Return a text with the figures of a result between the markers; SpecError without them."""
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise SpecError(f"there is no place for the figures: {BEGIN} and {END}", "README.md")
    return f"{before}{BEGIN}\n{figures(result['gates'])}\n{END}{after}"


def figures(gates: Mapping[str, Json]) -> str:
    """Return the figures as a table."""

    def total(gate: str, key: str) -> int:
        return sum(part[key] for title, part in gates.items() if title.startswith(f"{gate} "))

    coverage, flips, stubs = gates["coverage"], gates["option flips"], gates["stubs"]
    rows = [
        ("Rules, observable in an engine", f"{coverage['rules']}, {coverage['observable']}"),
        ("Scenarios, trick positions", f"{coverage['scenarios']}, {coverage['positions']}"),
        ("Rules without a scenario both ways, or with a surviving mutant", len(coverage["holes"])),
        (
            "Hand-written faulty engines noticed",
            f"{total('mutants', 'killed')} of {total('mutants', 'mutants')}",
        ),
        ("House rules noticed when changed alone", f"{flips['noticed']} of {flips['flips']}"),
        (
            "Machine-made faults in the engine's source noticed, besides "
            f"{total('source mutation', 'equivalent')} explained ones",
            _share(total("source mutation", "killed"), total("source mutation", "mutants")
                   - total("source mutation", "equivalent")),
        ),
        ("Best score of an adapter that knows nothing", f"{stubs['best_share']:.1%}"),
        (
            "Scenarios that alone notice some fault",
            gates["sole killers"]["sole_killers"],
        ),
    ]  # fmt: skip
    if "fuzz" in gates:  # a result from before there was this gate
        noticed, mutants = gates["fuzz"]["noticed"], gates["fuzz"]["mutants"]
        rows.insert(4, ("The same, noticed by `fuzz` in a minute each", f"{noticed} of {mutants}"))
    lines = ["| At the last run of all gates | |", "| --- | --- |"]
    lines += [f"| {what} | {number} |" for what, number in rows]
    return "\n".join(lines)


def _share(part: int, whole: int) -> str:
    return f"{part} of {whole} ({part / whole:.1%})" if whole else "0"
