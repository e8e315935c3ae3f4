"""The scripts of a match that stand beside course: the zero turn, the beginning of a turn, its end, its budget."""
