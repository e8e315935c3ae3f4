"""Strength in war: zones of control, stacking, support, guns and ships; combat has the odds and the losses."""
