"""The page on which one plays, its scripts, and programs that play by a table file."""
