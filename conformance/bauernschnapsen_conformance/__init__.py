"""Conformance suite for Bauernschnapsen engines: runner, adapter protocol, reports, tools."""

from __future__ import annotations
