"""Pure rules of Version 1.7: income, scoring, and the tactical field."""
