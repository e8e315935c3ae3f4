"""What players write to each other and to themselves: press, diaries, treaties, votes, and their pages."""
