"""Empire: hexes, logistics and an economy, open to everybody. Read board, kinds, state, then the steps of a turn."""
