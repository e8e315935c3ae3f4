"""What arrives: bytes made a Letter, its text, whose lines are whose, and what it says of its sender. Nothing raises."""
