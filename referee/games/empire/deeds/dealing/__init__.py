"""What players do to each other: control given and seized, goods taken, countries split, points exchanged, petitions."""
