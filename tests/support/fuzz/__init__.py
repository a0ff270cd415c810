"""Calls of every public function with generated arguments: good ones, limits, other types, junk.

`drive` holds the outcome of a call against a rule, `args` has the kinds of arguments, and a module
for each room of the package lists its `ROWS`.
"""
