"""Tactical Combat, a house version (R17-01): the field, the plans, single actions, pursuit; all pure.

phases/tactical.py is the script.
"""
