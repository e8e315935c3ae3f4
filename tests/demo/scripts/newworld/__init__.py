"""The demo of New World: four players by letter. Read orders, table, acts, match."""
