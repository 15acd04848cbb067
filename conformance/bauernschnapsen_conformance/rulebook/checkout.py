"""The checkout that the site is built from: mkdocs.yml and the hand-written pages stand there."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
