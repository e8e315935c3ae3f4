"""The tests, in the same order as the packages they test; games, contract and house stand across them."""

import sys

sys.dont_write_bytecode = False  # to compile the tests takes longer than to collect them
