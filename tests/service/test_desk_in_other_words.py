"""The common words of the desk in German, French and Spanish, spans of time as people write them, and what stays no command."""

from __future__ import annotations

from datetime import timedelta

import pytest

from referee.games import GAMES
from referee.kit.rulebook import tongues
from referee.moments import spans
from referee.orders import read
from referee.service.intake.commands.command import desk_words, every_word, words_at_first
from tests.service.conftest import ANNA, GINA, OTTO
from tests.world import World

_TABLE = "referee.service.intake.commands/tongues.toml"
_DESK = desk_words({game.name: game for game in GAMES}, ("friday",), ("France", "Spain"), True, True)


@pytest.mark.parametrize("game", GAMES, ids=[game.name for game in GAMES])
@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("Hilfe", "HELP"),
        ("aide", "HELP"),
        ("ayuda", "HELP"),
        ("Hilfe JOIN", 'HELP "JOIN"'),
        ("aide PRESS", 'HELP "PRESS"'),
        ("ayuda WAIT", 'HELP "WAIT"'),
        ("Hilfe beitreten", 'HELP "JOIN"'),
        ("aide statut", 'HELP "STATUS"'),
        ("ayuda con borrar", 'HELP "CLEAR"'),
        ("Hilfe zu ROLL OUT", 'HELP "ROLL OUT"'),
        ("statut", "STATUS"),
        ("estado", "STATUS"),
        ("Spiele", "GAMES"),
        ("friday beitreten", "JOIN friday"),
        ("rejoindre friday", "JOIN friday"),
        ("unirme friday", "JOIN friday"),
        ("zeige die Karte", "SEND map"),
        ("envoie le rapport", "SEND report"),
        ("envía el mapa", "SEND map"),
        ("send me the map", "SEND map"),
        ("Please send me the last report again", "SEND report"),
        ("show me the standings", "SEND standings"),
        ("Send me everything you have on me", "SEND data"),
        ("schick mir meine Daten", "SEND data"),
        ("envoyez-moi le rapport", "SEND report"),
        ("alles löschen", "CLEAR"),
        ("effacer", "CLEAR"),
        ("borrar", "CLEAR"),
        ("warten", "WAIT"),
        ("attendre", "WAIT"),
        ("esperar", "WAIT"),
        ("friday beobachten", "OBSERVE friday"),
        ("Frist 3 Tage", "DEADLINE 3d"),
        ("DEADLINE +2 jours", "DEADLINE +2d"),
        ("DEADLINE 24.12. 18 Uhr", "DEADLINE 24 Dec 18:00"),
        ("EXTEND 48 Stunden", "EXTEND 48h"),
        ("PAUSE FOR 2 semanas", "PAUSE FOR 2w"),
        ("Abwesenheit von 24.12. bis 27.12.", "ABSENCE 24 Dec - 27 Dec"),
    ],
)
def test_a_line_is_read_as_the_command_that_it_is(game: object, line: str, meant: str) -> None:
    words = next(words_at_first(each) for each in GAMES if each is game)
    reading = read(line, words, _DESK)
    assert [sentence.text for sentence in reading.desk] == [meant]
    assert not reading.mistakes and not reading.sheet


@pytest.mark.parametrize(
    "line",
    [
        "fertig ist der Bericht noch nicht",
        "Die Karte ist schön",
        "warte mal, ich muss nachdenken",
        "estado de la cuestión: todo bien",
        "j'attends ton rapport",
        "mitmachen möchte ich gern, aber wann?",
        "Hilfe, mein Schiff ist weg",
        "aide moi avec le rapport",
        "Hilfe brauche ich keine, danke",
        "ayuda a mover las cosas, por favor, y rápido",
    ],
)
def test_prose_is_no_command(line: str) -> None:
    assert read(line, words_at_first(GAMES[0]), _DESK).desk == ()


@pytest.mark.parametrize(
    ("written", "hours"), [("3 Tage", 72), ("2 jours", 48), ("48 Stunden", 48), ("1 día", 24), ("90 min", 1.5)]
)
def test_a_span_of_the_clock_may_be_written_so(written: str, hours: float) -> None:
    assert [span / timedelta(hours=1) for span in spans(written)] == [hours]


def test_a_word_means_one_thing_only_in_all_languages_and_every_game() -> None:
    desk = tongues(_TABLE).words
    said = [word.casefold() for words in desk.values() for word in words]
    assert len(said) == len(set(said))
    assert set(desk) - {"map", "report", "sheets", "history", "standings", "data"} <= {
        verb.word for verb in every_word().verbs
    }
    for game in GAMES:
        of_game = {
            word.casefold() for verb in words_at_first(game).verbs for word in (verb.word, *verb.aliases, *verb.spoken)
        }
        assert of_game & set(said) <= {word.casefold() for word in desk["SEND"]}, game.name


def test_by_letter_they_work_as_the_english_ones_do(match: World) -> None:
    (german,) = match.reply(ANNA, "Hilfe")
    assert "What you can write now" in german.flat
    (spanish,) = match.write(OTTO, "ayuda")
    assert "What you can write" in spanish.flat
    match.reply(GINA, "Frist 3 Tage")
    (alarm,) = match.alarms("deadline")
    assert (alarm.due_at - match.clock.now()).days == 4
    match.reply(GINA, "CLOCK slot 2 jours")
    assert match.playing().settings.slot_hours == 48


def test_what_cannot_be_undone_is_asked_about_in_any_language(world: World) -> None:
    world.write(GINA, "CREATE newworld AS friday")
    (question,) = world.write(ANNA, "friday beitreten", says="")
    assert question.kind == "entry" and "JOIN friday" in question.flat


@pytest.mark.parametrize("line", ["Hilfe HIRE", "aide HIRE", "ayuda HIRE", "Hilfe hire"])
def test_help_in_any_language_explains_the_orders_of_the_game_as_well(match: World, line: str) -> None:
    (page,) = match.reply(ANNA, line)
    (english,) = match.reply(ANNA, 'HELP "HIRE"')
    assert page.kind == english.kind == "receipt"
    assert "Example: HIRE" in page.flat
    assert _of_the_page(page.text) == _of_the_page(english.text)


def _of_the_page(text: str) -> str:
    return text.partition("HIRE")[2].partition("Proof")[0]
