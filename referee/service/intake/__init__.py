"""The way in: letters by the chain and the desk, commands, deadlines. Read chain, desk, receipts, door, inbox, deadlines."""
