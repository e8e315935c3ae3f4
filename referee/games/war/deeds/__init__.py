"""What units can do and what comes of it: who goes, which way, what it costs and why not.

Orders ask these functions before they are accepted, phases carry out by them. Read lots, lines and muster, then entry, plan,
marching and embarking; combat says what is to be resolved, explored and prospected.
"""
