"""Empire: hexes, logistics and an economy, open to everybody. A room for each part of the work; course tells a match."""
