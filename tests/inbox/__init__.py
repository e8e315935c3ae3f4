"""What becomes of letters: who wrote them, what bounced, what goes out with ours."""
