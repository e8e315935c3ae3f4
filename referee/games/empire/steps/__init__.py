"""The steps of a turn (H-01), one module each."""
