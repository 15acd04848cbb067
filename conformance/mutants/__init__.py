"""Faulty engines: each is the reference engine with one thing wrong.

One module per chapter of the rulebook, mutants in the order of its rules; `hooks` has the places
where the engine can be got at. `bauernschnapsen mutants` says which scenario kills which.
"""
