"""Letters in: a `case` is a letter and what is known of it, `letter_rules` decide what becomes of it, `inbox` does it,
in one transaction a letter.
"""
