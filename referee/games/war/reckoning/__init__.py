"""Pure rules that orders and phases share: a position in, an answer out; nothing is rolled, asked or changed.

Read paths (ways over land and sea, between allies), scoring (points, cards, goals, the tests of an IF), battle (die modifiers,
tables), and income (sites, natives, what is disbanded).
"""
