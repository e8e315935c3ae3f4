"""Squares worked, cities, construction, factories, scrapping; works ends a turn for all that is under way."""
