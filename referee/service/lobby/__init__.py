"""Before a match starts: it is created, joined, watched, left, called off, started; `who` says what all may know of it."""
