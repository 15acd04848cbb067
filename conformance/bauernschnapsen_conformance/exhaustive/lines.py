"""All right answers as lines of text, for engines that check themselves without an adapter.

    legal_plays    normal H N | E KS S AH | W AH JH | AH
                   contract, trump that was named, declarer | trick | seat, hand | legal cards
    trick_winner   normal H N | E KS S AH W QS N JS | S
                   the same | complete trick | the seat that wins it
    auctions       W | N AH TH KH QD JD / E ... | N trump H, N bid normal | E bid gang, pass
                   dealer | hands | what was said | who is to speak, and all it may say
                   (once the auction is over: | contract gang by E)

Lines are in a fixed order; the digest of a section is the SHA-256 of its lines in UTF-8, each with
a line feed at its end.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import IO, Any

from bauernschnapsen.notation import format_action, format_card, seat_letters
from bauernschnapsen.position import AUCTION, Position
from bauernschnapsen.ruleset import Rules
from bauernschnapsen.table import legal_actions

from .asking import LEGAL, WINNER
from .auctions import Auctions, Walk, all_auctions
from .situations import Kind, count_keys, kinds, situations
from .winners import won_tricks

Json = dict[str, Any]
AUCTIONS = "auctions"
SECTIONS = (LEGAL, WINNER, AUCTIONS)


@dataclass(frozen=True, slots=True)
class Digest:
    """How many lines there are, and what they amount to."""

    lines: int
    sha256: str


def digest_of(lines: Iterable[str], copy: IO[bytes] | None = None) -> Digest:
    """Return the digest of lines; `copy` is a file that they are written to."""
    total, number = hashlib.sha256(), 0
    for block in _blocks(lines):
        number += len(block)
        content = ("\n".join(block) + "\n").encode()
        total.update(content)
        if copy is not None:
            copy.write(content)
    return Digest(number, total.hexdigest())


def _blocks(lines: Iterable[str], size: int = 4096) -> Iterator[list[str]]:
    block: list[str] = []
    for line in lines:
        block.append(line)
        if len(block) == size:
            yield block
            block = []
    if block:
        yield block


def section(rules: Rules, name: str, copy: IO[bytes] | None = None) -> Iterator[Json]:
    """Yield counts and digests of a section, an entry for each kind of contracts.

    `copy` is a file that the lines of an entry are written to before it is yielded.
    """
    if name == AUCTIONS:
        found = all_auctions(rules)
        digest = digest_of(auction_lines(found), copy)
        yield {**auction_counts(found), "lines": digest.lines, "sha256": digest.sha256}
        return
    for kind in kinds(rules):
        entry: Json = {"contracts": [contract.name for contract in kind.contracts]}
        lines = winner_lines(rules, kind)
        if name == LEGAL:
            entry["keys"] = count_keys(rules, kind)
            lines = legal_lines(rules, kind)
        digest = digest_of(lines, copy)
        yield {**entry, "lines": digest.lines, "sha256": digest.sha256}


def write_lines(rules: Rules, file: IO[bytes], sections: Iterable[str] = SECTIONS) -> Iterator[str]:
    """Write all lines of some sections to a file, and yield what is said of each part of them.

    Behind each part stands a line with its digest, which begins with # and is not part of it.
    """
    for name in sections:
        for entry in section(rules, name, file):
            about = f" of {', '.join(entry['contracts'])}" if "contracts" in entry else ""
            said = f"{name}{about}: {entry['lines']} lines, sha256 {entry['sha256']}"
            file.write(f"# {said}\n".encode())
            yield said


def legal_lines(rules: Rules, kind: Kind) -> Iterator[str]:
    """Yield every trick situation of a kind."""
    for contract, trump, declarer, trick, hand, legal in situations(rules, kind):
        yield (
            f"{contract} {trump} {declarer} | {trick.plain} | {trick.seat} {hand.plain}"
            f" | {legal.plain}"
        )


def winner_lines(rules: Rules, kind: Kind) -> Iterator[str]:
    """Yield every complete trick of a kind."""
    for contract, trump, declarer, trick, winner in won_tricks(rules, kind):
        yield f"{contract} {trump} {declarer} | {trick.plain} | {winner}"


def auction_counts(found: Auctions) -> Json:
    """Return how many there are of everything in all auctions."""
    return {
        "combinations": found.combinations,
        "classes": len(found.classes),
        "situations": found.situations,
        "calls": found.calls,
        "refused": found.refused,
    }


def auction_lines(found: Auctions) -> Iterator[str]:
    """Yield what may be said in every situation to which calls lead, each line once."""
    seen: set[str] = set()
    for walk in found.walks:
        start, said = _start(walk), []
        letters = seat_letters(walk.deal.rules.seats)
        for seat, action, after in walk.steps:
            if after is None:
                continue
            said.append(f"{letters[seat]} {format_action(action)}")
            line = f"{start} | {', '.join(said)} | {_now(after, letters)}"
            if line not in seen:
                seen.add(line)
                yield line


def _start(walk: Walk) -> str:
    deal = walk.deal
    letters = seat_letters(deal.rules.seats)
    hands = " / ".join(
        f"{letters[seat]} {' '.join(map(format_card, hand))}"
        for seat, hand in enumerate(deal.dealt)
    )
    return f"{letters[deal.dealer]} | {hands}"


def _now(position: Position, letters: str) -> str:
    if position.phase == AUCTION:
        seat = position.turn
        assert seat is not None
        calls = ", ".join(sorted(map(format_action, legal_actions(position)[seat])))
        return f"{letters[seat]} {calls}"
    if position.contract is None:
        return "no contract"
    return f"contract {position.contract.name} by {letters[position.declarer]}"
