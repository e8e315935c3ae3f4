"""What players read: reports with every die, record sheets, logs, and the map."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import combinations, pairwise
from xml.etree import ElementTree

import pytest
from msgspec.structs import replace

from referee.adapters.pages.picture import png
from referee.core.chance import Keyed
from referee.core.event import Event, Rolled
from referee.core.names import Reader, Role, Seat
from referee.core.page import Block, Bullets, Grid, Heading, Note, Page, Sheet
from referee.core.position import told
from referee.games.war.events.combat import EXCHANGED, BattleEnded, OrderFellShort, UnitsLost, UnitsMoved, UnitsRaised
from referee.games.war.events.course import OfferMade
from referee.games.war.events.economy import UNSEEN, IncomeCollected, MarkerDrawn
from referee.games.war.events.natives import DiplomacyRolled, RegionTaken
from referee.games.war.phases import draw_marker
from referee.games.war.phases.land_battle import land_battle
from referee.games.war.phases.production import income_phase
from referee.games.war.position import Army, Feud, Fleet, Load, Marker, Offer, Stack
from referee.games.war.position.state import War
from referee.games.war.rulebook import BOARD, BUILDINGS, CHITS, COLOURS
from referee.games.war.telling.drawing import chart, marks
from referee.games.war.telling.drawing.coast import HEIGHT, WIDTH, coast
from referee.games.war.telling.drawing.marks import LETTERS
from referee.games.war.telling.report import recount, report
from referee.games.war.telling.sheets import logs, sheets
from referee.kit.game import evolve
from tests.games.war27.driving import BLUE, RED, holding, native, play, position, table
from tests.games.war27.staging import LAND_KINDS


def battlefield() -> War:
    """Example 28: four infantry, a cavalry and a general attack three infantry, an artillery and an engineer."""
    war = holding(holding(position(), RED, "Tripoli", infantry=1), BLUE, "Egypt", infantry=3, artillery=1, engineer=1)
    came = tuple(Stack(RED, kind, n, 1, "Tripoli") for kind, n in (("infantry", 4), ("cavalry", 1), ("general", 1)))
    war = war.with_land("Egypt", stacks=(*war.lands["Egypt"].stacks, *came))
    return replace(war, feuds=(Feud(RED, BLUE, (RED, BLUE)),))


def fought(*faces: int) -> tuple[War, list[Event], War]:
    """The position before that battle, what happened with these dice first, and the position after it."""
    before = battlefield()
    made, events = table(before, *faces, chance=Keyed(b"pages", 0))
    play(land_battle(made, RED, "Egypt", "Egypt"))
    return before, events, made.state


def lines(page: Page, heading: str) -> tuple[str, ...]:
    """The bullets under a heading."""
    found = [b.items for a, b in pairwise(page.blocks) if a == Heading(heading) and isinstance(b, Bullets)]
    return tuple(item for items in found for item in items)


def grid(blocks: Sequence[Block], caption: str) -> Grid:
    """The table with this caption."""
    (found,) = [block for block in blocks if isinstance(block, Grid) and block.caption == caption]
    return found


def sheet(found: Sequence[Sheet], name: str, of: str | None = None) -> Sheet:
    """The record sheet of this name."""
    (only,) = [one for one in found if (one.name, one.of) == (name, of)]
    return only


# ---------------------------------------------------------------- reports


def test_a_battle_is_told_round_by_round_with_its_dice_and_modifiers() -> None:
    before, events, after = fought(4, 6, 2, 1, 3, 5, 2, 3, 1)
    told_of = lines(report(before, events, after, RED), "Battle of Egypt")
    assert told_of[0].startswith("Red attacks Egypt with 4 infantry, 1 cavalry and 1 general against Blue's")
    assert any(
        re.match(r"Round 1, Red: 4 6 2 1 3, each \+\d \(.*general \+1.*\): \d hits?\. \[27\.combat", t) for t in told_of
    )
    assert any(t.startswith("Round 1, Blue: 5 2 3 1") for t in told_of)
    assert any("Blue loses 1 infantry in Egypt: hits of round 1." in t for t in told_of)


@pytest.mark.parametrize("seed", [b"1", b"2", b"3", b"4"])
def test_every_die_of_a_battle_is_in_its_report(seed: bytes) -> None:
    before = battlefield()
    made, events = table(before, chance=Keyed(seed, 0))
    play(land_battle(made, RED, "Egypt", "Egypt"))
    page = report(before, events, made.state, RED)
    text = " ".join(item for block in page.blocks if isinstance(block, Bullets) for item in block.items)
    rolled = [" ".join(map(str, event.faces)) for event in events if isinstance(event, Rolled)]
    assert rolled
    assert all(re.search(rf"(?<!\d){faces}(?!\d)", text) for faces in rolled)


def test_the_summary_is_one_sentence_of_what_mattered() -> None:
    made, events = table(battlefield(), chance=Keyed(b"summary", 0))
    play(land_battle(made, RED, "Egypt", "Egypt"))
    lost = {
        seat: sum(e.lost.number for e in events if isinstance(e, UnitsLost) and e.lost.owner == seat)
        for seat in (RED, BLUE)
    }
    (won,) = [event for event in events if isinstance(event, BattleEnded)]
    page = report(battlefield(), events, made.state, RED)
    outcome = "Red conquers Egypt from Blue" if won.winner == RED else "Blue beats Red in Egypt"
    assert page.summary.startswith(f"{outcome}; units lost: ")
    assert all(f"{seat} {number}" in page.summary for seat, number in lost.items() if number)
    assert report(battlefield(), (), battlefield(), RED).summary == "Red keeps quiet."


def test_a_share_in_which_only_marches_happen_says_so() -> None:
    moved = UnitsMoved("Tripoli", Stack(RED, "infantry", 1), "Egypt", Stack(RED, "infantry", 1, 1, "Tripoli"))
    assert report(position(), [moved], position(), BLUE).summary == "Red marches."


def test_the_marker_turned_up_for_a_battle_stands_in_its_report() -> None:
    war = native(holding(position(), RED, "Egypt", infantry=1), "Sudan", "4")
    war = war.with_land("Sudan", stacks=(Stack(RED, "infantry", 6, 1, "Egypt"),))
    made, events = table(war, chance=Keyed(b"natives", 0))
    play(land_battle(made, RED, "Sudan", "Sudan"))
    shown = lines(report(war, events, made.state, RED), "Battle of Sudan")
    assert "marker of Sudan shows 4" in shown[0] and shown[1].startswith("Red attacks Sudan")


def test_income_is_a_table_line_by_line_with_its_rules() -> None:
    war = holding(holding(position(), RED, "Egypt", ("city",), infantry=1), BLUE, "France", ("port",), infantry=1)
    made, events = table(war)
    play(income_phase(made))
    page = report(war, events, made.state, BLUE)
    found = grid(page.blocks, "Income of Red")
    assert found.rows == (
        ("1 westernized region", 5, "27.production.income.5"),
        ("1 city", 5, "27.production.income.7"),
    )
    assert found.total == ("Together, and 2 DP", 10, "27.production.income.1")
    assert page.summary == "Income: Red 10 PP and Blue 5 PP."
    red = next(line for block in page.blocks if isinstance(block, Bullets) for line in block.items if "VP" in line)
    assert red.startswith("Red: VP ") and "PP 110 (+10)" in red


def test_an_order_that_could_not_be_done_is_a_warning_at_the_top_for_its_writer_alone() -> None:
    war = position()
    short = OrderFellShort(RED, "MOVE 3 infantry FROM Egypt TO Sudan", "Only 2 were there.", "27.move.land.1")
    page = report(war, told([short], RED), war, RED)
    assert page.blocks[0] == Note(f"{short.sentence()} [27.move.land.1]", "warning")
    other = report(war, told([short], BLUE), war, BLUE)
    assert not any(isinstance(block, Note) for block in other.blocks[:1])


def test_an_offer_stands_under_its_own_heading_and_interrupts_nothing() -> None:
    before, events, after = fought(4, 6, 2, 1, 3, 5, 2, 3, 1)
    offered = OfferMade(Offer(1, "peace", BLUE, RED))
    page = report(before, [events[0], offered, *events[1:]], after, RED)
    assert lines(page, "Offers and gifts") == ("Blue offers Red peace (offer 1). [27.war.6]",)


def test_what_comes_and_what_threatens_is_said() -> None:
    war = holding(position(), RED, "Egypt", infantry=2).with_land("Egypt", marker=Marker(6, 1, True), revolt=Army(4, 2))
    feud = replace(war, feuds=(Feud(RED, BLUE, (BLUE,)),))
    notes = {block.text: block.weight for block in report(war, (), feud, RED).blocks if isinstance(block, Note)}
    revolt = "Egypt is in revolt: Red fights 4 infantry and 2 cavalry there in his next combat phase."
    assert notes[revolt] == "warning"
    assert "Red and Blue are at war; Red may attack only from his next turn to move." in notes
    assert any(text.startswith("Red holds only 1 region;") for text in notes)
    again = [block.text for block in report(feud, (), feud, RED).blocks if isinstance(block, Note)]
    assert again == [text for text in notes if "at war" not in text]


# ---------------------------------------------------------------- sheets and logs


def test_sheets_show_what_their_reader_knows() -> None:
    made, events = table(holding(position(), RED, "Egypt", infantry=1), chance=Keyed(b"marker", 0))
    play(draw_marker(made, "Sudan"))
    for reader, seen in ((Role.REFEREE, str(made.state.lands["Sudan"].marker)), (RED, "not seen"), (BLUE, "not seen")):
        known = known_to(reader, made.state, events)
        (rows,) = [g.rows for g in sheet(sheets(events, known, reader), "natives").grids]
        assert rows == (("Sudan", "natives", seen, "", ""),)


def known_to(reader: Reader, war: War, events: Sequence[Event]) -> War:
    """The position with the last events folded as a reader was told of them."""
    war = replace(war, lands={**war.lands, "Sudan": replace(war.lands["Sudan"], marker=None)})
    for event in told(events, reader):
        war = evolve(war, event)
    return war


def test_a_treasury_shows_the_next_income_and_another_sheet_the_points() -> None:
    war = holding(position(), RED, "Egypt", ("city",), infantry=2)
    made, events = table(war)
    play(income_phase(made))
    own = sheet(sheets(events, made.state, RED), "treasury", "Red")
    assert grid(own.grids, "Next income, if nothing changed").total == (
        "Together, less maintenance",
        8,
        "27.production.maintain.1",
    )
    assert own.notes[0] == "Next income in diplomacy points: 2 DP." and "PP are production points" in own.notes[1]
    (points,) = sheet(sheets(events, made.state, RED), "points", "Red").grids
    assert points.total == ("Together", "", 10 + 5 + 2 + 3 + 2 + 11)  # region, city, units, DP 3 and 2, PP 110


def test_forces_count_what_is_aboard_and_what_is_left_in_the_box() -> None:
    war = holding(position(force_pool="yes"), RED, "Egypt", infantry=3, general=1)
    war = war.with_fleet(Fleet(1, RED, "Red Sea", cargo=(Load(RED, "infantry", 2),)))
    units, pool = sheet(sheets((), war, RED), "forces").grids
    assert units.rows[0] == ("Red", 5, 0, 0, 0, 0, 1, 1, 7)
    assert pool.caption == "Left in the force pool"
    assert pool.rows[1][1] == int(pool.rows[0][1]) + 5


def test_wars_offers_and_fleets_have_their_sheets() -> None:
    war = replace(position(), feuds=(Feud(RED, BLUE, (BLUE,)),), offers=(Offer(4, "cede", RED, BLUE, "Egypt"),))
    war = war.with_fleet(Fleet(7, BLUE, "Red Sea", cargo=(Load(BLUE, "general", 1), Load(BLUE, "infantry", 2))))
    found = sheets((), war, RED)
    feuds, offers = sheet(found, "wars").grids
    assert feuds.rows == (("Red", "Blue", "Blue"),)
    assert offers.rows == ((4, "Red", "Blue", "cede Egypt", "no"),)
    assert sheet(found, "fleets").grids[0].rows == (("Blue", 7, "Red Sea", "1 general, 2 infantry", 5),)
    assert [row[2] for row in sheet(found, "order").grids[0].rows] == ["moves now", "to move"]


def test_no_two_sheets_share_a_name_and_every_region_is_in_the_table() -> None:
    found = sheets((), position(), RED)
    assert len({(one.name, one.of) for one in found}) == len(found)
    rows = [row for zone in sheet(found, "regions").grids for row in zone.rows]
    assert {row[0] for row in rows} == set(BOARD.regions)
    assert all(len(row) == len(one.columns) for two in found for one in two.grids for row in one.rows)


def test_the_logs_have_every_die_and_every_event() -> None:
    _, events, _ = fought(4, 6, 2, 1, 3, 5, 2, 3, 1)
    battles, dice, everything = logs(events, RED)
    rolled = [event for event in events if isinstance(event, Rolled)]
    thrown = [(f"{len(e.faces)}d6", " ".join(map(str, e.faces))) for e in rolled]
    assert [(row[3], row[4]) for row in dice.grids[0].rows][: len(rolled)] == thrown
    assert len(everything.grids[0].rows) == sum(bool(event.sentence()) for event in events)
    assert {row[1] for row in battles.grids[0].rows} == {"Battle of Egypt"}


def test_the_report_of_income_is_the_log_of_income() -> None:
    made, events = table(holding(position(), RED, "Egypt", infantry=1))
    play(income_phase(made))
    (collected,) = [event for event in events if isinstance(event, IncomeCollected) and event.seat == RED]
    page = report(position(), events, made.state, RED)
    assert grid(page.blocks, "Income of Red").rows == tuple(
        (line.what, line.amount, line.rule) for line in collected.lines
    )


# ---------------------------------------------------------------- the map

SVG = "{http://www.w3.org/2000/svg}"
COLOURS_OF_ALL = tuple(Seat(name) for name in COLOURS)


def crowded() -> War:
    """A position in which every region holds as much as hardly ever comes together, and every sea area has fleets."""
    war = position(*COLOURS_OF_ALL)
    for number, name in enumerate(BOARD.regions):
        seat = COLOURS_OF_ALL[number % 8]
        stacks = tuple(Stack(seat, kind, 10 + at) for at, kind in enumerate(LAND_KINDS))
        war = war.with_land(
            name, owner=seat, stacks=stacks, buildings=("city", "school", "fort"), chit="Diamonds", developed=number % 2 > 0,
            marker=Marker(12, 2, True), spheres=dict.fromkeys(COLOURS_OF_ALL[:3], 2), revolt=Army(12, 4, 1),
        )  # fmt: skip
    for number, name in enumerate(BOARD.seas, 1):
        war = war.with_fleet(Fleet(number, RED, name, cargo=(Load(RED, "infantry", 4),)))
    return war


def labels_on(svg: str) -> list[tuple[str, int, int, int, int]]:
    """Every label on the map with the counters under it: its words, and its left, top, right and lower end."""
    found = []
    for part in ElementTree.fromstring(svg).iter(f"{SVG}svg"):
        said = [text.text or "" for text in part.iter(f"{SVG}text") if text.get("class") in ("n", "s")]
        if said and said != ["sph"] and part.get("viewBox") is None:
            left, top, width, height = (int(part.get(name, "0")) for name in ("x", "y", "width", "height"))
            found.append((" ".join(said), left, top, left + width, top + height))
    return found


def late() -> War:
    """A position as it stands late in a match of eight: all regions owned, armies and buildings, fleets in many seas."""
    war = position(*COLOURS_OF_ALL)
    for number, name in enumerate(BOARD.regions):
        seat = COLOURS_OF_ALL[number // 8]
        stacks = tuple(Stack(seat, kind, 1 + number % 4) for kind in LAND_KINDS[: 1 + number % 4])
        marker = Marker(9, 1, True) if number % 5 == 0 else None
        war = war.with_land(
            name, owner=seat, stacks=stacks, buildings=("city", "fort")[: number % 3], marker=marker,
            chit="Coal" if number % 4 == 0 else None,
        )  # fmt: skip
    for number, name in enumerate(list(BOARD.seas)[::2], 1):
        war = war.with_fleet(Fleet(number, RED, name, cargo=(Load(RED, "infantry", 4),) * (number % 2)))
    return war


@pytest.mark.parametrize("war", [position(), late()], ids=["empty", "late"])
def test_no_label_on_the_map_covers_another_and_none_is_cut_off(war: War) -> None:
    found = labels_on(chart(war).svg)
    assert len(found) == len(BOARD.regions) + len(BOARD.seas)
    for (one, left, top, right, low), (two, left2, top2, right2, low2) in combinations(found, 2):
        assert right <= left2 or right2 <= left or low <= top2 or low2 <= top, (one, two)
    assert all(left >= 0 and right <= WIDTH and top >= 30 and low <= 30 + HEIGHT for _, left, top, right, low in found)


def test_every_place_is_named_on_the_map() -> None:
    said = "".join(line for line, *_ in labels_on(chart(position()).svg)).replace(" ", "")
    assert all(name.replace(" ", "") in said for name in (*BOARD.regions, *BOARD.seas))


def test_the_canal_is_on_the_map_as_far_as_it_is_dug() -> None:
    none, half, whole = (chart(replace(position(), canal=turns)).svg for turns in ((), (2,), (2, 3)))
    assert "Suez" not in none and coast().canal not in none
    assert "half dug" in half and f'd="{coast().canal}"' in half and "pathLength" in half
    assert "half dug" not in whole and "Suez Canal" in whole and "pathLength" not in whole


def test_owners_differ_by_colour_by_pattern_and_by_letters() -> None:
    war = holding(holding(position(*COLOURS_OF_ALL), RED, "Egypt", infantry=3), Seat("White"), "Japan", infantry=1)
    root = ElementTree.fromstring(chart(war).svg)
    patterns = {p.get("id"): ElementTree.tostring(p)[100:] for p in root.iter(f"{SVG}pattern")}
    assert len(set(patterns.values())) == len(patterns) == 8
    assert len(set(LETTERS.values())) == 8
    fills = {path.get("fill") for path in root.iter(f"{SVG}path")}
    assert {"url(#w-Red)", "url(#w-White)"} <= fills
    assert "url(#w-Blue)" not in fills


def texts(war: War) -> list[str]:
    return [text.text or "" for text in ElementTree.fromstring(chart(war).svg).iter(f"{SVG}text")]


def test_the_map_shows_units_buildings_resources_natives_spheres_revolts_and_fleets() -> None:
    war = holding(position(), RED, "Egypt", ("city", "fort"), infantry=3, general=1)
    war = war.with_land(
        "Egypt", chit="Coal", developed=True, marker=Marker(9, 2, True), spheres={BLUE: 2}, revolt=Army(5, 3, 1)
    )
    war = war.with_fleet(Fleet(1, BLUE, "Red Sea", cargo=(Load(BLUE, "infantry", 2),)))
    said = texts(war)
    for mark in ("3i 1G", "Coal 10", "9++", "Bu", "2", "REVOLT 5i 3c 1a", "2i"):
        assert mark in said, mark
    drawn = chart(war).svg
    assert drawn.count(f'd="{marks.ICONS["city"]}"') == drawn.count(f'd="{marks.ICONS["fort"]}"') == 2


def test_what_the_reader_has_not_seen_is_a_question_mark() -> None:
    legend = texts(position()).count("?")
    unseen = native(position(), "Sudan", "9").with_land("Sudan", marker=Marker(0))
    assert texts(unseen).count("?") == legend + 1
    assert texts(holding(position(), RED, "Egypt").with_land("Egypt", chit="?")).count("?") == legend + 1


def test_the_map_is_the_same_each_time_and_small_enough_for_a_letter() -> None:
    assert chart(crowded()) == chart(crowded())
    assert len(chart(late()).svg) < 200_000
    assert len(chart(crowded()).svg) < 340_000


def test_the_sentence_instead_of_the_map_counts_regions() -> None:
    war = holding(position(), RED, "Egypt", infantry=1)
    assert chart(war).instead.startswith("The map shows whose the regions are: Red 1, Blue 0, natives 62.")


def test_every_place_can_be_clicked_and_says_what_stands_there() -> None:
    war = holding(position(), RED, "Egypt", ("city",), infantry=3, general=1)
    (layer,) = [g for g in ElementTree.fromstring(chart(war).svg).iter(f"{SVG}g") if g.get("class") == "touch"]
    found = {place.get("data-place"): place for place in layer if place.get("data-place")}
    assert set(found) == {*BOARD.regions, *BOARD.seas}
    assert len({place.get("id") for place in found.values()}) == len(found)
    assert {(place.get("tabindex"), place.get("role")) for place in found.values()} == {("0", "button")}
    assert found["Egypt"].get("aria-label") == "Egypt, Red; Red 3 infantry, 1 general; city"
    assert found["Great Britain"].get("id") == "place-great-britain"
    assert list(found) == [*BOARD.seas, *BOARD.regions]


def test_the_picture_for_letters_leaves_out_what_only_pages_need() -> None:
    svg = chart(late()).svg
    assert len(png(svg)) < 150_000
    without = svg[: svg.index('<g class="touch"')] + "</svg>"
    assert png(svg) == png(without)


def test_moves_battles_and_what_was_won_are_shown_and_told() -> None:
    war = replace(holding(position(), RED, "Egypt", infantry=3), turn=2, round=1, active=RED)
    war = war.with_land("Egypt", won_in="T2/M1/Red")
    happened = [went("infantry", 2, "Tripoli", "Egypt"), BattleEnded("Egypt", RED, BLUE, 2)]
    shown = chart(war, RED, happened)
    assert 'class="a-Red"' in shown.svg and 'class="lit"' in shown.svg
    assert shown.svg.count('class="steel"') == 2 and chart(war).svg.count('class="steel"') == 1
    assert shown.instead.endswith("Won this turn: Egypt by Red. Battles: Egypt.")
    assert 'class="lit"' not in chart(replace(war, turn=3)).svg


def test_all_kinds_of_buildings_and_chits_have_marks() -> None:
    assert len({kind[:2] for kind in BUILDINGS}) == len(BUILDINGS)
    for name in CHITS:
        war = holding(position(), RED, "Egypt").with_land("Egypt", chit=name, developed=name != "dot")
        assert (name != "dot") == any(
            text.startswith(name) for text in texts(war) if text != "Coal 10" or name == "Coal"
        )


def test_an_explorer_who_wins_a_region_over_is_no_loss_to_the_summary() -> None:
    before, explorer = holding(position(), RED, "Egypt", infantry=2), Stack(RED, "explorer", 1)
    before = before.with_units("Sudan", explorer)
    made, events = table(before)
    made.emit(UnitsLost("Sudan", explorer, EXCHANGED, "R27-73"))
    made.emit(UnitsRaised("Sudan", RED, "infantry", 1, by_rule="R27-73"))
    page = report(before, events, made.state, RED)
    assert "units lost" not in page.summary
    assert events[-1].cites() == "R27-73"


def lines_of(happened: Sequence[Event]) -> list[str]:
    """The story of some events."""
    war = holding(position(), RED, "Egypt", infantry=6)
    blocks = report(war, happened, war, RED).blocks
    return [line for block in blocks if isinstance(block, Bullets) for line in block.items]


def went(kind: str, number: int, origin: str, target: str) -> UnitsMoved:
    return UnitsMoved(origin, Stack(RED, kind, number), target, Stack(RED, kind, number))


def test_what_left_a_region_stands_in_one_line_and_the_markers_it_turned_up_in_another() -> None:
    army = [went("infantry", 5, "Egypt", "Sudan"), went("general", 1, "Egypt", "Sudan")]
    assert lines_of(army) == ["Red: 5 infantry and 1 general move from Egypt to Sudan. [27.move.land.2]"]
    happened = [
        *army, MarkerDrawn("Sudan", UNSEEN), went("explorer", 1, "Egypt", "Kenya"), MarkerDrawn("Kenya", UNSEEN),
        went("cavalry", 1, "Arabia", "Persia"),
    ]  # fmt: skip
    assert lines_of(happened) == [
        "Red, from Egypt: 5 infantry and 1 general move to Sudan; 1 explorer moves to Kenya. [27.move.land.2]",
        "Red: 1 cavalry moves from Arabia to Persia.",
        "Sudan and Kenya draw native markers, face down. [27.setup.9]",
    ]


def test_an_explorer_s_roll_says_what_becomes_of_him_and_nothing_says_it_again() -> None:
    one = Stack(RED, "explorer", 1)
    won = DiplomacyRolled(RED, "Kenya", 9, (), 0, 7, "control")
    told = lines_of([
        Rolled("T1/Kenya", "Kenya: Red's explorer", "27.combat.explorer.3", 6, (4, 5)), won,
        UnitsLost("Kenya", one, EXCHANGED, "R27-73"), UnitsRaised("Kenya", RED, "infantry", 1, by_rule="R27-73"),
        DiplomacyRolled(RED, "Sudan", 2, (), 0, 0, "lost"), UnitsLost("Sudan", one, "killed", "27.combat.explorer.3"),
    ])  # fmt: skip
    assert told == [
        f"{won.sentence()} [27.combat.explorer.3]",
        "Red loses 1 explorer in Kenya: an infantry brigade takes his place. [R27-73]",
        "Red's explorer in Sudan rolls 2: the explorer is killed.",
    ]


def test_a_question_is_told_what_could_not_be_done_before_what_happened() -> None:
    short = OrderFellShort(RED, "Build 9 forts.", "There is no money.", "")
    assert recount([went("infantry", 5, "Egypt", "Sudan"), short]) == (
        "Not done: Build 9 forts. There is no money. [27.move.order.1]",
        "Red: 5 infantry move from Egypt to Sudan. [27.move.land.2]",
    )


def test_a_summary_names_together_what_one_player_wins_over() -> None:
    war = holding(position(), RED, "Egypt", infantry=6)
    won = [RegionTaken(RED, region, None, "explorer", None, None) for region in ("Sudan", "Kenya", "Kongo")]
    battle = BattleEnded("Nigeria", RED, BLUE, 2)
    assert (
        report(war, [*won, battle], war, RED).summary
        == "Red wins over Sudan, Kenya and Kongo; Red beats Blue in Nigeria."
    )
