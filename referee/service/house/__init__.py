"""People, seats, matches that form, press, sheets filed, records and pages. Read seats, joining, slots, documents, archive."""
