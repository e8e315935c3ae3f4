"""The phases of Empire in the order of play: zero_turn, supply, turn_end."""
