"""Attacks. fighting is war on land, with where the beaten go; sea and air are theirs.

means says what every attack needs and what falls to the victor. Who may attack, by which order, stands in orders/war.
"""
