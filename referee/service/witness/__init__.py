"""Witnesses by mail: `heads` asks those of our matches to sign their heads, `serving` signs those of others."""
