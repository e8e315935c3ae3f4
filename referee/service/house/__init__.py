"""People, seats, matches that form, press, sheets filed, records and pages. Read people, membership, filing, archive."""
