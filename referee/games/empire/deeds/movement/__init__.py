"""Moving and what is done without moving: loads, tows, docks, pipelines. Read moving, then loading."""
