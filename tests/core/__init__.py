"""Tests of the core, on the toy game."""
