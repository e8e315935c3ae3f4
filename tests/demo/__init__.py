"""Tests of the demo and of the proofs it ends with."""
