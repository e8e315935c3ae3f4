"""Moving, for orders and attacks alike."""
