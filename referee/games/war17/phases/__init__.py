"""The scripts of Version 1.7, in the order of play: movement with sailing, combat with battles and exploring, production.

A land battle is battles, fought in tactical by the plans that plans reads, and left by retreating; gaining is
what a region won brings.
"""
