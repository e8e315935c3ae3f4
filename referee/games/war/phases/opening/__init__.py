"""The set-up in its order: setting_up, then placing; dealing and homelands by optional rule."""
