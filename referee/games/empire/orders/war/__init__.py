"""Orders to arm, attack, engage, bomb, plunder."""
