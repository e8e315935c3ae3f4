"""The way in: letters by their rules and the desk, commands, deadlines. Read letter_rules, desk, front_door, inbox, deadlines."""
