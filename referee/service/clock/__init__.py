"""When: clocks of open questions and their lengths, absences, the change-of-mind delay, suspensions, what deadlines wait for.

Begin with `clocks`; `clock_words` reads and says a clock's settings.
"""
