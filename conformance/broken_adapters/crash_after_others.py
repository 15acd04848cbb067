"""Answers one request and all that came with it rightly, then crashes, as an event loop does.

So ends a JavaScript engine over a promise that is rejected and that nobody has caught.
"""

import os

from base import Lines, Message, serve, write


class Turn(Lines):
    """Lines that end the process once all that was read together is done."""

    doomed = False

    def next(self) -> bytes | None:
        """The next line, unless this was the last one of its turn."""
        if self.doomed and b"\n" not in self._buffer:
            os._exit(5)
        return super().next()


lines = Turn()


def crash(_: Message, reply: Message) -> None:
    """Reply, and end later."""
    write(reply)
    lines.doomed = True


serve(crash, lines=lines)
