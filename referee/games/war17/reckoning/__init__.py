"""Pure rules of Version 1.7: income, and the tactical field."""
