"""The reference engine for `--engine reference:answer`, behind any of the broken adapters."""

from __future__ import annotations

from bauernschnapsen_conformance.reference_adapter import ReferenceAdapter

answer = ReferenceAdapter().handle
