"""The phases of Empire in the order of play: opening, supply, turn_end."""
