"""Worked examples and tests of War!, Version 1.7."""
