"""The site: what everybody may know of matches, players and games, as pages beside each other.

Read in this order: card, course, match_page, feed; home, forming, people, games.
"""
