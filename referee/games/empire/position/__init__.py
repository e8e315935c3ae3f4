"""What stands where and whose it is: the board, pieces on it, countries, and the whole of it in state.

Units are individuals with a number, goods are lots. Read board, pieces, countries, state.
"""
