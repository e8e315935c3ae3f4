"""War! Age of Imperialism, Version 1.7: an edition composed of the parts of War! and of Tactical Combat."""
