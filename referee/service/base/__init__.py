"""The base of the service: ports, letters, notes, settings, the office. Read ports, office, letter_facts, notes."""
