"""Faulty engines: each is the reference engine with one thing wrong.

The modules of a chapter of the rulebook begin with its name (`auction`, `auction_hold`), and the
first line of each says which part of the chapter it breaks; `hooks` has the places where the engine
can be got at. `bauernschnapsen mutants` says which scenario kills which.
"""
