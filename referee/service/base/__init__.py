"""What everything else of the service knows: ports, letters, notes, settings, the office. Read ports, office, letters, notes."""
