"""A match as it stands: its log played, its members and sheets, its clock. Read playing, sheets, slot_life, clocks."""
