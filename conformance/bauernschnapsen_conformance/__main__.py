"""`python -m bauernschnapsen_conformance` does what the command `bauernschnapsen` does."""

from __future__ import annotations

import sys

from .entry import main

if __name__ == "__main__":
    sys.exit(main())
