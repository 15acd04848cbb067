"""The suite as pytest items, for an engine author's own continuous integration.

    pytest --pyargs bauernschnapsen_conformance.suite --engine "./my-adapter"

One item per scenario; all chosen scenarios are asked in one pipelined run of the adapter.
"""
