"""Pure rules that all above share: a position in, an answer out; nothing is rolled, asked or changed.

By subject: movement, supply, work, war. Here lies, too, what belongs to none: whose a unit is, how it is named and meant
in an order, which house rule is in force, the budget's arithmetic, the ranking.
"""
