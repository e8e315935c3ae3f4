"""What orders of movement come to: who goes, which way, and why not. Orders ask these functions, phases carry out by them."""
