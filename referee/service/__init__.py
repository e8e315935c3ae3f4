"""The work on mail, deadlines, matches and people: six groups, each knowing only those before it.

base (what all know), match (as it stands), post (letters out), turn (what moves a match on), house (people, seats, press, records),
intake (letters in, commands, deadlines).
"""
