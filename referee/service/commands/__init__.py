"""The words of the desk: what HELP tells of each, and what each does."""
