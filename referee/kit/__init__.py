"""Parts that games share, pure and without rules of their own: counted stocks, ledgers, places in a ranking, wording."""
