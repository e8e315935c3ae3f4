"""Letters out: the postman empties the outbox through a relay or into a Maildir."""
