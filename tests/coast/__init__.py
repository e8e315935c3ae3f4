"""How the coastlines of War!'s map are cut: `make coastlines` writes them from Natural Earth's land, as world-atlas has it."""
