"""What work takes: hands, materials, power; and what stands in a square, in a city or alone."""
