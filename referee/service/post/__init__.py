"""Letters out: written into a tray, counted, posted once. Read post, tray, subjects, frames, answer_limits."""
