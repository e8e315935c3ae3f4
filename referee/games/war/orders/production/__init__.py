"""Orders of production, in the order in which they are carried out: auction, natives, incite, units, works.

building says which lines the engineers work on.
"""
