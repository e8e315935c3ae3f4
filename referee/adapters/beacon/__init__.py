"""Public randomness: rounds of a drand chain, each signature verified here.

`opening` makes the beacon that the settings name, `drand` is what fulfils the port. A relay is never believed: it can keep a
round back, but not make one up.
"""
