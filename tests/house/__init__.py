"""Tests of the house itself: layers, types, names, the wheel."""
