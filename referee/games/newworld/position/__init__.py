"""What stands on everybody's pages and in the decks: state; and who plays which country: seating."""
