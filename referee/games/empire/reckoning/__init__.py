"""Pure rules that all above share: a position in, an answer out; nothing is rolled, asked or changed.

Read ownership (whose something is, what it is called, what is in force), distance, movement_rates, carrying, routes; then supply,
work, combat, budget, conditions.
"""
