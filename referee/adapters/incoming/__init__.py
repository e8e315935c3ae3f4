"""Letters in: SMTP, LMTP, IMAP, Maildir and pipe, each durable before it is acknowledged."""
