"""Public randomness: rounds of a drand chain, each signature verified here.

`drand` fulfils the port, and makes the beacon that the settings name. A relay is never believed: it can keep a
round back, but not make one up.
"""
