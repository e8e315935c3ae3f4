"""Words that are written beside orders. Read command, words, then the modules of commands."""
