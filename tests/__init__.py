"""The tests, in the same order as the packages they test; games, contract and house stand across them."""
