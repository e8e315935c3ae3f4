"""The points of a robust mail gateway, each as one test through the real parts: sockets, store, desk, letters."""
