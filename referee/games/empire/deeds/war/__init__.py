"""Attacks. fighting is war on land, with where the beaten go; sea and air are theirs.

means says what every attack needs and what falls to the victor; foreseeing tells the odds without a die.
"""
