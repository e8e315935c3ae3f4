"""Words that are written beside orders. Read command, then the modules of commands."""
