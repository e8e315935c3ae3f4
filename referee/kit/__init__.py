"""Parts that games share, pure and without rules of their own: stocks, ledgers, rankings, wording."""
