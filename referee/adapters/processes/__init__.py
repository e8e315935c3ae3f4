"""Processes and threads of ours: how they are started, woken, watched and ended."""
