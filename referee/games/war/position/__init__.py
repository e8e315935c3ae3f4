"""What stands where and who holds it: places and what is on them, what players have between them, and the whole of it in state.

Read places, relations, state; options says which optional rules a match plays, seating who plays which colour.
"""
