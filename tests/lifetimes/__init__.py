"""Matches kept as every released version left them, stopped in every kind of open phase: what any later one must go on with."""
