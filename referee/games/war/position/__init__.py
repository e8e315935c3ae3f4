"""What stands where, who holds it, and how players stand to each other.

Read places, relations, state; options says which optional rules a match plays, seating who plays which colour.
"""
