"""The phases of a turn, one module each; Version 27."""
