"""Matches by letter that follow a script, in which everything that is to be shown happens: `referee demo` in a checkout.

Read scenes, then `newworld`, `war` with its editions, and `empire`: in each what its players write, the table they sit at,
what happens on the way (acts), and the match.
"""

from referee.demo import Scenario
from tests.demo.scripts import empire, empire_war, newworld, war17, war27

SCENARIOS = {
    "newworld": Scenario(newworld.MOST_TURNS, newworld.play_match),
    "war27": Scenario(war27.MOST_TURNS, war27.play_match),
    "war17": Scenario(war17.MOST_TURNS, war17.play_match),
    "empire": Scenario(empire.MOST_TURNS, empire.play_match),
    "empire-war": Scenario(empire_war.MOST_TURNS, empire_war.play_match),
}
"""By the word that `referee demo` is given."""
