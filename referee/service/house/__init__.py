"""People, seats, forming matches, press, sheets filed, records, pages. Read people, membership, filing, archive, verification."""
