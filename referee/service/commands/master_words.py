"""Words by which a match is mastered beside its clock: house rules, seats, fellow masters, keys, previews."""

from __future__ import annotations

from referee.service.commands.desk_verb import REASON, desk_verb
from referee.service.commands.override_words import OVERRIDES

BY_ANYONE = (
    desk_verb(
        "I AM HERE",
        "answers the question whether you are still there, before a match starts",
        "I AM HERE",
        ("match",),
        0,
        1,
        aliases=("STILL HERE",),
    ),
    desk_verb(
        "STANDBY",
        "puts you on a match's list of those who take a seat that falls free",
        "STANDBY nw1",
        ("match",),
        0,
        1,
    ),
    desk_verb(
        "TAKEOVER",
        "gives you a seat at once that its player has given up",
        "TAKEOVER nw1 AS France",
        ("match",),
        0,
        1,
        {"AS": ("words",)},
    ),
    desk_verb(
        "WHO",
        "says who plays in a match and by what rules and clock",
        "WHO nw1",
        ("match",),
        0,
        1,
        aliases=("WHOGAME",),
    ),
)
"""Also in a match that has not begun."""

BY_KEY_HOLDERS = (
    desk_verb(
        "CONFIRM",
        "turns the second key to what a game master who plays himself wants to do",
        "CONFIRM 1",
        ("number",),
        1,
        1,
    ),
    desk_verb(
        "OBJECT", "refuses the second key; another game master stops the proposal by it", "OBJECT 1", ("number",), 1, 1
    ),
)
"""For players and game masters."""

_BY_MASTERS = (
    desk_verb(
        "START NOW",
        "starts the match without waiting for those who have not answered I AM HERE",
        "START NOW nw1",
        ("match",),
        0,
        1,
    ),
    desk_verb(
        "PREVIEW TURN",
        "shows what the turn would give with the orders on file, with dice of its own; nothing is stored or told",
        "PREVIEW TURN",
        ("match",),
        0,
        1,
    ),
    desk_verb(
        "BECOME",
        "makes the rest of your letter a letter of this player's, who is told so; for who does not play himself",
        'BECOME France BECAUSE "his mail is down"',
        ("seat",),
        1,
        1,
        {"BECAUSE": REASON},
    ),
    desk_verb(
        "DUMMY",
        "has the bots of the game play a seat; before the start, so many dummies join",
        'DUMMY France BECAUSE "nobody stands by"',
        ("seat", "match", "number"),
        1,
        2,
        {"BECAUSE": REASON},
    ),
    desk_verb(
        "PROMOTE",
        "makes somebody game master beside you",
        "PROMOTE ben@example.org",
        ("address", "match"),
        1,
        2,
        {"BECAUSE": REASON},
    ),
    desk_verb(
        "EJECT",
        "takes somebody out: a fellow game master, who watches, who has joined; the seat of a player goes to the list or a dummy",
        'EJECT ben@example.org BECAUSE "abuse"',
        ("address", "seat", "match"),
        1,
        2,
        {"BECAUSE": REASON},
    ),
    desk_verb(
        "ALLOW",
        "admits only these addresses or domains from now on; ALLOW anybody forgets that list",
        "ALLOW club.example, anna@example.org",
        ("match", "address", "words", "text"),
        1,
        None,
    ),
    desk_verb(
        "DENY",
        "keeps these addresses or domains out; DENY nobody forgets that list",
        "DENY spam.example",
        ("match", "address", "words", "text"),
        1,
        None,
    ),
    desk_verb(
        "RELIABILITY",
        "admits only who was on time in so many slots of a hundred, over all his matches, and who is new; 0: everybody",
        "RELIABILITY 80",
        ("number", "match"),
        1,
        2,
    ),
    desk_verb(
        "COMMENT",
        "says something about the match wherever it is listed; COMMENT none takes it off",
        'COMMENT "Beginners welcome."',
        ("text", "words", "match"),
        1,
        2,
    ),
    desk_verb(
        "LISTED",
        "sets whether those are told of the match who take no part in it",
        "LISTED no",
        ("words", "match"),
        1,
        2,
    ),
    desk_verb(
        "MUSTER",
        "sets whether START first asks everybody whether he is still there",
        "MUSTER yes",
        ("match", "words"),
        1,
        2,
    ),
    desk_verb(
        "ABANDON",
        "sets after how many turns rolled out in a row a seat is abandoned (0: never), and then: standby, dummy or ask",
        "ABANDON AFTER 3 GIVING TO standby",
        ("match",),
        0,
        1,
        {"AFTER": ("number",), "GIVING TO": ("words",)},
    ),
)

FOR_GAME_MASTERS = OVERRIDES + _BY_MASTERS + BY_KEY_HOLDERS
"""For game masters."""
