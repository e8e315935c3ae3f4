"""Orders of production, in the order in which they are carried out.

auction, diplomacy, natives, incite, units, buildings, resources; works is what engineers help with, engineers says which lines they
work on.
"""
