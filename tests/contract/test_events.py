"""Every event says to whom it is told, by which rule it came, and what happened, in a sentence."""

from __future__ import annotations

from string import Formatter

from referee.core.event import CORE_EVENTS, Audience, Drawn, Event, Rolled
from referee.core.game import AnyGame
from referee.core.names import Role
from tests.contract.bots import GameRecord, readers
from tests.contract.casefile import events_of
from tests.contract.test_cases import cases_of, staging_of

CORE_RULES = {event.rule for event in CORE_EVENTS}


def test_every_event_class_names_its_audience_and_its_rule(game: AnyGame) -> None:
    rules = {rule.id for rule in game.rules}
    for event in game.events:
        own = event.__mro__[: event.__mro__.index(Event)]
        assert any("audience" in vars(base) or "told_to" in vars(base) for base in own), event.__name__
        assert isinstance(event.audience, Audience)
        assert event.rule in rules or any("cites" in vars(base) for base in own), f"{event.__name__}: {event.rule}"


def test_every_event_class_says_only_what_it_knows(game: AnyGame) -> None:
    for event in (*game.events, *CORE_EVENTS):
        assert hasattr(event, "says") or event.sentence is not Event.sentence, f"{event.__name__} says nothing"
        blanks = (name for _, name, _, _ in Formatter().parse(getattr(event, "says", "")) if name is not None)
        unknown = [name for name in blanks if not hasattr(event, name.partition(".")[0])]
        assert unknown == [], event.__name__


def test_every_event_class_comes_up(game: AnyGame, played: tuple[GameRecord, ...]) -> None:
    """In games of bots from the start, or, where so few turns cannot bring it about, in a worked example."""
    seen = {type(event) for record in played for event in record.events}
    missing = set(game.events) - seen
    rules = {event.rule for event in missing}  # their own examples first: a tenth of the time of looking through all
    for case in sorted(cases_of(game), key=lambda case: case.rule not in rules) if missing else ():
        missing -= {type(event) for event in events_of(game, staging_of(game), case)}
        if not missing:
            break
    assert {event.__name__ for event in missing} == set()
    assert {event.__name__ for event in seen - set(game.events) - set(CORE_EVENTS)} == set()


def test_every_event_cites_a_rule_and_has_a_sentence(game: AnyGame, played: tuple[GameRecord, ...]) -> None:
    rules = {rule.id for rule in game.rules} | CORE_RULES
    for record in played:
        for event in record.events:
            assert event.cites() in rules, event
            sentence = event.sentence()
            assert sentence == sentence.strip() and "\n" not in sentence
            assert not sentence or sentence[-1] in ".!?", sentence


def test_every_die_and_draw_says_what_it_was_for(game: AnyGame, played: tuple[GameRecord, ...]) -> None:
    rules = {rule.id for rule in game.rules}
    for record in played:
        purposes: set[tuple[str, int]] = set()
        for event in record.events:
            if isinstance(event, Rolled | Drawn):
                assert event.by_rule in rules and event.why.strip()
                dice = event.faces if isinstance(event, Rolled) else event.items
                places = {(event.purpose, event.first + place) for place in range(len(dice))}
                assert not places & purposes, event
                purposes |= places


def test_what_a_reader_is_told_hangs_together(played: tuple[GameRecord, ...]) -> None:
    for record in played:
        for event in record.events:
            assert event.told_to(Role.REFEREE) == event
            public = event.told_to(Role.OBSERVER)
            for reader in readers(record):
                learnt = event.told_to(reader)
                assert learnt is None or learnt.told_to(reader) == learnt, event
                assert learnt is None or isinstance(learnt.sentence(), str)
                assert public is None or learnt is not None, f"the public is told, {reader} is not: {event}"
