"""Tests of referee.bench: structure only, nothing is timed."""
