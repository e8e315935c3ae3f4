"""Settings: a TOML file read once into frozen values.

config.example.toml names each setting with its default; a file needs only what differs. Read in this order: sections,
whole, faults, reading.
"""

from referee.config.sections import Database, Identity
from referee.config.whole import VARIABLE, Config, ConfigError, load, read

__all__ = ["VARIABLE", "Config", "ConfigError", "Database", "Identity", "load", "read"]
