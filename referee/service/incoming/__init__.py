"""Letters in: a `case` is a letter and what is known of it, `chain` decides by small rules what becomes of it, `inbox` does it,
in one transaction a letter.
"""
