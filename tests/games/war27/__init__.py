"""Tests of War! Age of Imperialism, Version 27."""
