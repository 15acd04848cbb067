"""A run: what of the corpus is asked, how it is put to an engine, and what is made of the answers.

`runner` goes through it: `plan` makes `tasks` of scenarios, the adapter answers, `judging` turns
answers into `verdicts`, and `tally` counts them.
"""
