"""When: the life of a slot, clocks of open questions and their lengths, absences, suspensions, what deadlines wait for.

Begin with `slot_life`: its table says all that can happen to a slot, and the rest of the house acts by it. Then `clocks` sets
and moves what falls due, `standing_still` stops and starts it; `clock_words` reads and says a clock's settings.
"""
