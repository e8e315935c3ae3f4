"""Pure rules that orders and phases share: a position in, an answer out; nothing is rolled, asked or changed.

Ways: paths, sealanes. Money: income and its assignment of resources, disbanding, sites for buildings. Battle: battle, drm, natives.
Between players: alliances. By optional rule: cards, historical. Last: scoring, and conditions, the tests an IF may make.
"""
