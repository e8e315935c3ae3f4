"""What comes of squares worked, cities, construction, factories and scrapping when a turn ends; works ends it for all."""
