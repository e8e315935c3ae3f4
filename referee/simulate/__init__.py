"""Written strategies played against each other by the thousand, and what comes of it."""
