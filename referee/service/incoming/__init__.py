"""Letters in: `chain` decides by small rules what becomes of each, `inbox` does it, in one transaction a letter."""
