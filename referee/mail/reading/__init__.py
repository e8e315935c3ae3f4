"""Arriving mail: bytes made a Letter, its text, the owners of its lines, and its word on its sender. Nothing raises."""
