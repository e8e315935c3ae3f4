"""Pure rules that orders and phases share: scoring, the conditions of an IF, and the turn that a phase function is handed."""
