"""War! Age of Imperialism: parts common to its editions, and Version 27. Read board, pieces, state, then phases."""
