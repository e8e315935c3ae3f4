"""What happens though nobody writes: deadlines, grace, letters that came back, outages, the keeper's digest.

`deadlines` is the scan that finds whatever fell due, in the order in which it fell due.
"""
