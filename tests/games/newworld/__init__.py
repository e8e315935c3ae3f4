"""Tests of New World."""
