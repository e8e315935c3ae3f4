"""Leaving mail: a letter made bytes, encoded, signed, with its calendar entries."""
