"""Sheets for nobody: random but purposeful orders, for bots that test the rules and for tables that want a dummy.

Read stages, then movement and production.
"""
