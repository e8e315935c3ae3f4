"""A play-by-email referee: a match is an append-only log of events, and letters carry questions and answers.

Import law (checked by import-linter): core <- nothing of ours; kit <- core; games <- core, kit; orders <- core;
mail <- core; service <- core, orders, mail; adapters <- core, service ports; bootstrap and cli see everything.
Read in this order: core, games (newworld first), orders, mail, service, adapters, bootstrap.
"""
