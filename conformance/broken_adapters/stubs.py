"""Adapters with no engine behind them; none of them may reach a level.

`--how` says what they answer: `empty` ({}), `bare` (an id and nothing else), `views` (empty views),
`unsupported`, `nothing` (nothing is legal, nothing happens).
"""

from __future__ import annotations

import argparse
from typing import Any

from base import Lines, read, write

Message = dict[str, Any]
CAPABILITIES = {
    "players": [4],
    "legal_plays": True,
    "trick_winner": True,
    "starts": ["deal", "contract"],
    "match": True,
    "claims": "called",
}
EMPTY: Message = {
    "to_act": None, "legal": {}, "contract": None, "trick": [], "points": {"NS": 0, "EW": 0},
    "tricks": {"NS": 0, "EW": 0}, "outcome": None,
}  # fmt: skip


def answer(how: str, request: Message) -> Message:
    """The reply of a stub, without its id."""
    if how == "unsupported":
        return {"unsupported": "not yet"}
    if how == "bare":
        return {}
    if how == "empty":
        return {"ok": {}}
    if request["op"] == "replay":
        view = {} if how == "views" else EMPTY
        return {"ok": [[view] * (1 + len(deal["actions"])) for deal in request["deals"]]}
    return {"ok": [{} if how == "views" else [] for _ in request["cases"]]}


def main() -> None:
    """Serve a stub."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--how", required=True)
    how = parser.parse_args().how
    for line in Lines():
        request = read(line)
        if request is None:
            continue
        if request["op"] == "hello":
            who = {"name": f"stub {how}", "version": "1"}
            able = {"capabilities": CAPABILITIES, "window": 8}
            ok = {"protocol": 1, "adapter": who, "engine": who, **able}
            write({"id": request["id"], "ok": ok})
        else:
            write({"id": request["id"], **answer(how, request)})


if __name__ == "__main__":
    main()
