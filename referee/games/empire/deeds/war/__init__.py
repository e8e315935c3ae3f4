"""Attacks. fighting is war on land, sea and air are theirs, bombing what planes do over a target.

means says what every attack needs, conquest what falls to the victor, retreating where the beaten go; foreseeing tells the
odds without a die.
"""
