"""Vocabularies for the tests: a small game of places, seats, units and goods, and a desk."""

from __future__ import annotations

from referee.core.vocabulary import Noun, Verb, Vocabulary

__all__ = ["DESK", "GAME"]


def _nouns(kind: str, *names: str) -> tuple[Noun, ...]:
    return tuple(Noun(name, kind) for name in names)


GAME = Vocabulary(
    verbs=(
        Verb("MOVE", "Units go from a place to another.", "MOVE 3 infantry, 1 general FROM Egypt TO Palestine VIA Suez",
             "t.1", ("unit",), 1, None,
             {"FROM": ("place", "hex"), "TO": ("place", "hex"), "VIA": ("place",)}, ("TO",)),
        Verb("ATTACK", "Fight a player.", "ATTACK France IN Europe FOR Ore WITH 1 fleet", "t.2", ("seat",), 1, 1,
             {"IN": ("place",), "FOR": ("good", "any"), "WITH": ("unit",)}, ("IN",), ("ASSAULT",)),
        Verb("RESEARCH", "Learn.", "RESEARCH Finance, Science, any KEEPING 4 gold", "t.3", ("technology", "any"), 1, 3,
             {"KEEPING": ("good",)}),
        Verb("COLONIZE", "Found colonies.", "COLONIZE Gems IN Central America, any", "t.4", ("good",), 1, None,
             {"IN": ("place", "any")}),
        Verb("OFFER", "Offer a trade.", "OFFER 3 gold, 1 wood TO France FOR 1 cloth", "t.5", ("good",), 1, None,
             {"TO": ("seat",), "FOR": ("good",)}, ("TO",)),
        Verb("ACCEPT", "Take an offer.", "ACCEPT 3", "t.6", ("number",), 1, 1),
        Verb("DECLINE", "Leave an offer.", "DECLINE 3", "t.6", ("number",), 1, 1),
        Verb("SAIL", "Ships go.", "SAIL 2 fleets", "t.7", ("unit",), 1, None, {"TO": ("place", "hex")}),
        Verb("SURVEY", "Look at hexes.", "SURVEY 12,7", "t.8", ("hex",), 1),
        Verb("NAME", "Name a place.", 'NAME Egypt AS "The Nile"', "t.9", ("place",), 1, 1, {"AS": ("text",)}, ("AS",)),
        Verb("BALANCE", "Pick numbers.", "BALANCE 1,2,3", "t.10", ("number",), 1),
        Verb("DECLARE WAR", "Begin a war.", "DECLARE WAR ON France", "t.11", (), 0, None, {"ON": ("seat",)}, ("ON",)),
        Verb("REST", "Do nothing.", "REST", "t.12"),
    ),
    nouns=(
        *_nouns("place", "Red Sea", "Egypt", "Palestine", "Suez", "South America", "South Africa", "Central America",
                "Siberia", "Europe", "Canada", "Côte d'Ivoire", "Cape of Good Hope", "Trinidad and Tobago",
                "Austria-Hungary", "Sea of Japan", "Blue Harbour", "Spice Islands"),
        Noun("Constantinople", "place", ("Istanbul", "Byzantium")),
        *_nouns("seat", "France", "England", "Blue", "Red", "Spain"),
        *_nouns("good", "gold", "wood", "cloth", "Gems", "Ore", "food"),
        *_nouns("technology", "Finance", "Science", "Defence", "Navigation"),
        *_nouns("unit", "army", "fleet", "infantry", "general", "militiaman"),
    ),
    predicates=(
        Verb("CONTROLS", "Holds a place.", "Blue CONTROLS Egypt", "t.20", ("place",), 1, 1, {"": ("seat",)}),
        Verb("AT WAR WITH", "Is at war.", "Red AT WAR WITH Blue", "t.21", ("seat",), 1, 1, {"": ("seat",)}),
        Verb("IN", "Units in a place.", "fleets IN Red Sea >= 2", "t.22", ("place",), 1, 1, {"": ("unit",)}),
        Verb("CONFIDENCE", "The people's confidence.", "CONFIDENCE < 6", "t.23"),
        Verb("OWES", "A debt.", "France OWES 3 gold TO Spain", "t.24", ("good",), 1, None, {"TO": ("seat",)}),
    ),
)

_MATCH = ("word",)

DESK = Vocabulary(
    verbs=(
        Verb("JOIN", "Take part.", "JOIN nw1 AS England", "d.1", _MATCH, 1, 1, {"AS": ("seat",)}),
        Verb("SEND", "Ask for papers.", "SEND report TURN 3", "d.2", ("paper",), 1, 1,
             {"TURN": ("number",), "OF": ("seat",)}),
        Verb("DEADLINE", "Move a deadline.", 'DEADLINE nw1 +12h FOR France BECAUSE "he is ill"', "d.3",
             ("word", "duration", "moment"), 1, 2, {"FOR": ("seat",), "BECAUSE": ("words",)}),
        Verb("PAUSE", "Stop the clock.", "PAUSE nw1 FOR 3 days", "d.4", _MATCH, 1, 1, {"FOR": ("duration",)}),
        Verb("REWIND", "Go back.", "REWIND nw1 TO TURN 4", "d.5", _MATCH, 1, 1, {"TO TURN": ("number",)}),
        Verb("REPLACE", "A new player.", "REPLACE France BY anna@example.org", "d.6", ("seat",), 1, 1,
             {"BY": ("address",)}, ("BY",)),
        Verb("ROLL OUT", "Play the turn now.", "ROLL OUT", "d.7", ("seat",)),
        Verb("HELP", "Explain a word.", "HELP colonize", "d.8", ("words",)),
        Verb("WAIT", "Hold the turn.", "WAIT", "d.9"),
        Verb("NO WAIT", "Hold it no more.", "NO WAIT", "d.9"),
        Verb("STATUS", "Who owes what.", "STATUS", "d.10"),
        Verb("CLEAR", "Forget the sheet.", "CLEAR", "d.11"),
        Verb("RESIGN", "Leave.", "RESIGN", "d.12"),
        Verb("PROCESS", "Run a phase.", 'PROCESS "T3/France"', "d.13", ("text",), 1, 1),
        Verb("RULING", "Publish a ruling.", "RULING the fort stands CITING 3.2", "d.14", ("words",), 1, 1,
             {"CITING": ("words",)}),
        Verb("ABSENCE", "Be away.", "ABSENCE FROM 2026-12-24 TO 2026-12-27", "d.15", (), 0, None,
             {"FROM": ("date",), "TO": ("date",)}, ("FROM", "TO")),
        Verb("SET", "Change a setting.", "SET reminders 12h, 2h", "d.16", ("word", "duration"), 1),
        Verb("YES", "Take the corrections.", "YES", "d.17"),
    ),
    nouns=_nouns("paper", "report", "sheets", "map", "history", "standings"),
)
