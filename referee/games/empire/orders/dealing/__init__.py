"""Orders between countries: give and accept, seize, split, petition."""
