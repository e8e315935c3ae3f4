"""Food and goods within reach: who eats before whom, lines of supply, which lots are used first."""
