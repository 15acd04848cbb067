"""Reading the rules as data: where spec/ and schemas/ are, the YAML loader, schema validation."""

from __future__ import annotations
