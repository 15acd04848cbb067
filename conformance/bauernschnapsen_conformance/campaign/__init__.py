"""Campaigns: many deals chosen by coverage, put to engines, what differs shrunk to scenarios.

generators, attempts    cases of one to three deals, biased on purpose (strategies: hypothesis)
situations, coverage    what a case goes through, counted in a form that merges
choosing                what to play next, by what has been covered
judging                 a case as an engine is asked it, and whether its answer is right
findings, shrinking     differences by cause, each made as small as it goes
writing, reporting      a scenario file, a transcript, the deal for a person
chunks, workers         pure parts of a campaign, and the engines of the process they run in
executors, running      where parts are run; waves, merging, the end
keeping, telling        the state on disk; progress and figures
"""
