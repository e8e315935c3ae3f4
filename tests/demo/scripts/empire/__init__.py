"""The demos of Empire: from the cards of the zero turn to the sixth turn, and two countries at war."""
