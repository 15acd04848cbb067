"""Every kind of engine, made from the reference engine by hiding something: none of them is wrong.

    python kinds.py --starts contract --claims none --leave-out last_trick.points

It declares what it hides, and hides it: a start it does not take, claims that are made by the
cards or not at all, a ruleset it does not read, reasons it does not tell, keys it does not show.
`Kind` is the same in process.
"""

from __future__ import annotations

import argparse
import copy
from typing import Any

from bauernschnapsen.ruleset import load_ruleset, vary
from bauernschnapsen_conformance.reference_adapter import ReferenceAdapter

Message = dict[str, Any]
OWN_RULES = "own"


class Kind:
    """The reference engine behind an adapter that can express only a part of it."""

    def __init__(  # noqa: PLR0913 - one parameter per thing it may lack
        self,
        *,
        starts: tuple[str, ...] = ("deal", "contract"),
        claims: str = "called",
        queries: bool = True,
        match: bool = True,
        enforces: bool = True,
        reasons: bool = True,
        configurable: bool = True,
        takes_rules: bool = True,
        players: tuple[int, ...] = (4,),
        leave_out: tuple[str, ...] = (),
        window: int = 16,
    ) -> None:
        """Take what is hidden; `leave_out` are places in views, as `outcome.reason`."""
        self.capabilities: Message = {
            "players": list(players),
            "legal_plays": queries,
            "trick_winner": queries,
            "starts": list(starts),
            "match": match,
            "claims": claims,
            "enforces": enforces,
            "reasons": reasons,
            "configurable": configurable,
        }
        self.takes_rules = takes_rules
        self.leave_out = [place.split(".") for place in leave_out]
        self.window = window
        self.asked: list[Message] = []
        self.engine = ReferenceAdapter()
        own = load_ruleset("pagat")
        if claims == "automatic":
            own = vary(own, {"options": {"claim_mode": "automatic"}})
        self.engine.handle({"op": "rules", "key": OWN_RULES, "rules": own})

    def handle(self, message: Message) -> Message:
        """Answer a message, or say that this engine cannot."""
        op, able = message["op"], self.capabilities
        if op == "hello":
            reply = self.engine.handle(message)
            if "ok" not in reply:
                return reply
            reply["ok"] |= {"capabilities": able, "window": self.window}
            reply["ok"]["engine"]["name"] = "one kind of engine"
            return reply
        if op == "rules":
            if not able["configurable"]:
                return {"unsupported": "the rules of this engine cannot be changed"}
            if not self.takes_rules:
                return {"unsupported": "equal bids by priority"}
            return self.engine.handle(message)
        if not able["configurable"]:
            message = {**message, "rules": OWN_RULES}
        if op != "replay":
            return self.engine.handle(message) if able.get(op) else {"unsupported": f"no {op}"}
        return self._replay(message)

    def _replay(self, message: Message) -> Message:
        able, deals = self.capabilities, message["deals"]
        for deal in deals:
            start = "contract" if "contract" in deal else "deal"
            if start not in able["starts"]:
                return {"unsupported": f"no start from the {start}"}
            claimed = any(action == "enough" for _, action in deal["actions"])
            if claimed and able["claims"] != "called":
                return {"error": "asked for a claim although there are none"}
        if len(deals) > 1 and not able["match"]:
            return {"unsupported": "one deal at a time"}
        reply = self.engine.handle(message)
        for deal in reply.get("ok", ()):
            for view in deal:
                self._hide(view)
                if view.get("refused") and not able["enforces"]:
                    return {"error": "an engine that enforces nothing was asked to refuse"}
        return reply

    def _hide(self, view: Message) -> None:
        if self.capabilities["claims"] != "called":
            for actions in view["legal"].values():
                while "enough" in actions:
                    actions.remove("enough")
        if view.get("refused") and not self.capabilities["reasons"]:
            view["refused"] = True
        for *path, key in self.leave_out:
            inner: Any = view
            for name in path:
                inner = inner.get(name) if isinstance(inner, dict) else None
            if isinstance(inner, dict):
                inner.pop(key, None)


class Forgetful(Kind):
    """An engine that keeps something from one request to the next, in one of several ways.

    twice: what it has been asked before it answers without legal actions.
    late: after 300 requests it counts a point too many.
    factor: the doubling of the last deal is still there when the next contract starts.
    """

    def __init__(self, how: str, **rest: Any) -> None:
        """Choose the way."""
        super().__init__(queries=False, **rest)
        self.how = how
        self.seen: set[str] = set()
        self.requests = 0
        self.factor = 1

    def handle(self, message: Message) -> Message:
        """Answer a message from the wrong memory."""
        reply = super().handle(copy.deepcopy(message))
        if message["op"] != "replay" or "ok" not in reply:
            return reply
        self.requests += 1
        views = [view for deal in reply["ok"] for view in deal]
        if self.how == "twice":
            if repr(message["deals"]) in self.seen:
                for view in views:
                    view["legal"] = {}
            self.seen.add(repr(message["deals"]))
        elif self.how == "late" and self.requests > 300:
            for view in views:
                view["points"] = {side: have + 1 for side, have in view["points"].items()}
        elif self.how == "factor":
            contracts = [view["contract"] for view in views if view.get("contract")]
            last = contracts[-1]["factor"] if contracts else 1
            for contract in contracts:
                contract["factor"] *= self.factor
            self.factor = last
        return reply


class ByHeart:
    """No engine at all: it looks answers up in what `bauernschnapsen export` has written."""

    def __init__(self, export: Message) -> None:
        """Learn the answers."""
        self.answers = {}
        for entry in (*export["scenarios"], *export["positions"]):
            self.answers[repr(entry["replay"]["deals"])] = entry["views"]
        for entry in export["positions"]:
            self.answers[repr(entry["query"]["cases"][0])] = entry["answer"]
        self.hello = Kind(configurable=False)

    def handle(self, message: Message) -> Message:
        """Answer what was learnt."""
        if message["op"] == "hello":
            return self.hello.handle(message)
        if message["op"] == "replay":
            views = self.answers.get(repr(message["deals"]))
            return {"ok": copy.deepcopy(views)} if views else {"ok": [[]]}
        return {"ok": [self.answers.get(repr(case)) for case in message["cases"]]}


def main() -> None:
    """Serve one kind over the pipe."""
    from base import Lines, read, write

    parser = argparse.ArgumentParser(description="One kind of engine, over the pipe.")
    parser.add_argument("--starts", default="deal,contract", help="comma between them, or none")
    parser.add_argument("--claims", default="called", choices=["called", "automatic", "none"])
    for name in ("queries", "match", "enforces", "reasons", "configurable"):
        parser.add_argument(f"--no-{name}", dest=name, action="store_false")
    parser.add_argument("--leave-out", action="append", default=[], metavar="PLACE")
    parser.add_argument("--window", type=int, default=16)
    parser.add_argument("--forgetful", default="", choices=["", "twice", "late", "factor"])
    given = vars(parser.parse_args())
    how = given.pop("forgetful")
    starts = tuple(one for one in given.pop("starts").split(",") if one not in ("", "none"))
    hidden = {**given, "starts": starts, "leave_out": tuple(given["leave_out"])}
    hidden.pop("queries" if how else "", None)
    kind = Forgetful(how, **hidden) if how else Kind(**hidden)
    for line in Lines():
        request = read(line)
        if request is not None:
            write({"id": request["id"], **kind.handle(request)})


if __name__ == "__main__":
    main()
