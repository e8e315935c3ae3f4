"""Games as docs/adding.md tells to write them, in folders that plug in by themselves."""
