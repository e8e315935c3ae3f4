"""Lode as a Game. Read from the top: the position, what can happen, what may be ordered, the course of a day."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import msgspec
from msgspec.structs import replace

from referee.core.choices import Choice, Pick
from referee.core.event import Audience, Event
from referee.core.game import Options, Phase
from referee.core.names import Reader, Seat
from referee.core.order import Doubt, Intent, Noun, Predicate, Quantity, Setting, Verb
from referee.core.page import Grid, Sheet, Standing, Tally
from referee.core.question import Orders, Pace, Question
from referee.core.table import Script, Table
from referee.kit.conditions import compares
from referee.kit.declared import AT_ONCE, Ahead, Book, Declared, Words
from referee.kit.fields import Counted, HowMany, One
from referee.kit.game import BaseGame, Change
from referee.kit.refused import Refused
from referee.kit.rulebook import read_rules
from referee.kit.wording import counted

SHAFT, MOST, LUCK = 2, 3, 4


# ---------------------------------------------------------------- the position


class Miner(msgspec.Struct, frozen=True):
    """What a miner has."""

    coins: int = 10
    ore: int = 0


class Field(msgspec.Struct, frozen=True):
    """All miners, the day that was last begun, and its price."""

    miners: dict[Seat, Miner]
    days: int
    day: int = 0
    price: int = 0

    def having(self, seat: Seat, coins: int = 0, ore: int = 0) -> Field:
        """The field when a miner has so much more."""
        old = self.miners[seat]
        return replace(self, miners={**self.miners, seat: Miner(old.coins + coins, old.ore + ore)})


# ---------------------------------------------------------------- what can happen


class Open(Change, frozen=True):
    """Everything on the field is seen by all."""

    audience = Audience.EVERYONE


class DayBroke(Open, frozen=True):
    """A day began with its price."""

    rule = "lode.price"
    says = "A piece of ore brings {price} coins today."
    price: int

    def change(self, state: Field) -> Field:
        return replace(state, day=state.day + 1, price=self.price)


class OreDug(Open, frozen=True):
    """A miner sank shafts and found ore."""

    rule = "lode.dig"
    seat: Seat
    shafts: int
    ore: int

    def change(self, state: Field) -> Field:
        return state.having(self.seat, -SHAFT * self.shafts, self.ore)

    def sentence(self) -> str:
        found = f"{counted(self.ore, 'pieces')} of ore" if self.ore else "nothing"
        return f"{self.seat} sinks {counted(self.shafts, 'shafts')} and finds {found}."


class OreSold(Open, frozen=True):
    """A miner sold ore."""

    rule = "lode.sell"
    seat: Seat
    ore: int
    coins: int

    def change(self, state: Field) -> Field:
        return state.having(self.seat, self.coins, -self.ore)

    def sentence(self) -> str:
        return f"{self.seat} sells {counted(self.ore, 'pieces')} of ore for {self.coins} coins."


class CoinsLent(Open, frozen=True):
    """Coins went from one miner to another."""

    rule = "lode.lend"
    seat: Seat
    to: Seat
    coins: int

    def change(self, state: Field) -> Field:
        return state.having(self.seat, -self.coins).having(self.to, self.coins)

    def sentence(self) -> str:
        return f"{self.seat} gives {self.to} {counted(self.coins, 'coins')}."


# ---------------------------------------------------------------- what may be ordered


def coins_of(field: Field, seat: Seat) -> int:
    """What a miner can spend."""
    return field.miners[seat].coins


class Dig(Declared[Field], frozen=True):
    """lode.dig"""

    shafts: int

    words = Words("DIG", "sink shafts, 2 coins each", "lode.dig", "DIG 2 shafts")
    fields = (HowMany("shafts", "shafts", "work", held=lambda *_: MOST, rule="lode.dig"),)
    says, phase = "Sink {shafts}.", "day"

    @classmethod
    def advice(cls, field: Field, seat: Seat) -> tuple[str, bool]:
        return f"You have {coins_of(field, seat)} coins; a shaft costs {SHAFT}.", True

    def check(self, field: Field, seat: Seat) -> None:
        coins = coins_of(field, seat)
        if self.shafts * SHAFT > coins:
            said = f"You have {counted(coins, 'coins')}, which pays for {counted(coins // SHAFT, 'shafts')}."
            raise Refused(said, "lode.dig", str(self.shafts))

    def do(self, table: Table[Field], seat: Seat) -> None:
        """As many shafts as can be paid now."""
        shafts = min(self.shafts, coins_of(table.state, seat) // SHAFT)
        faces = table.roll(shafts, 6, f"Shafts of {seat}", "lode.dig") if shafts else ()
        table.emit(OreDug(seat, shafts, sum(face >= LUCK for face in faces)))


def _unwanted(noun: str) -> tuple[str, str]:
    return f"Nobody buys {noun}.", "lode.sell"


class Sell(Declared[Field], frozen=True):
    """lode.sell"""

    amount: Quantity

    words = Words("SELL", "sell ore at the price of the day", "lode.sell", "SELL all ore")
    fields = (
        Counted(
            "amount", "ore", ("ware",), wrong=_unwanted, rule="lode.sell", held=lambda f, seat, _: f.miners[seat].ore
        ),
    )
    says, phase, rare = "Sell {amount}.", "day", 4

    def do(self, table: Table[Field], seat: Seat) -> None:
        """As much as there is by then."""
        held = table.state.miners[seat].ore
        sold = min(held, self.amount.of(held))
        if sold:
            table.emit(OreSold(seat, sold, sold * table.state.price))


def _others(field: Field, seat: Seat, _: Mapping[str, Any]) -> Iterator[Choice[Seat]]:
    return (Choice(s, s, f"{miner.coins} coins") for s, miner in field.miners.items() if s != seat)


class Lend(Declared[Field], frozen=True):
    """lode.lend"""

    coins: int
    to: Seat

    words = Words("GIVE", "give coins to a miner; done at once", "lode.lend", "GIVE 1 coin TO {other}")
    fields = (
        One("to", ("side",), "TO", taken=Seat, several=("To one miner.", "lode.lend"), among=_others),
        HowMany("coins", "coins", "money", held=coins_of, rule="lode.lend"),
    )
    says, phase = "Give {to} {coins}.", AT_ONCE

    def check(self, field: Field, seat: Seat) -> None:
        if self.to == seat or not self.coins:
            raise Refused("Give another miner at least a coin.", "lode.lend", self.to)

    def do_at_once(self, table: Table[Field], seat: Seat) -> None:
        if self.coins <= coins_of(table.state, seat):
            table.emit(CoinsLent(seat, self.to, self.coins))


# ---------------------------------------------------------------- the game


class Lode(BaseGame[Field]):
    """Two to four miners; each day a price, then all dig and sell at once."""

    name, title, one_report = "lode", "Lode", True
    book = Book((Dig, Sell, Lend), {("work", "shafts"): "shaft", ("money", "coins"): "coin"})
    rules = read_rules("tests.small.lode")
    events: tuple[type[Event], ...] = (DayBroke, OreDug, OreSold, CoinsLent)
    settings = (Setting("days", ("6", "3", "12"), "After which day the match ends.", "lode.end"),)

    def seat_names(self, options: Options) -> tuple[str, ...]:
        return ("Ada", "Bert", "Cleo", "Dora")

    def setup(self, sides: tuple[Seat, ...], options: Options) -> Field:
        return Field({seat: Miner() for seat in sides}, int(options["days"]))

    def next_phase(self, field: Field) -> Phase[Field] | None:
        day = field.day + 1
        return Phase(f"D{day}", day, f"Day {day}", self._play) if day <= field.days else None

    def _play(self, table: Table[Field]) -> Script[None]:
        """A price, everybody's orders, then each miner's in turn."""
        table.emit(DayBroke(sum(table.roll(2, 6, "The price of ore", "lode.price"))))
        seats = tuple(table.state.miners)
        sheets = yield from table.ask_all([self._orders(table, seat) for seat in seats])
        for seat, sheet in zip(seats, sheets, strict=True):
            for kind in (Dig, Sell):
                for order in [intent for intent in sheet.value if isinstance(intent, kind)]:
                    order.do(table, seat)

    def _orders(self, table: Table[Field], seat: Seat) -> Question[tuple[Intent, ...]]:
        menu = Orders(("DIG", "SELL"), Dig | Sell, partial(self._suggest, table.state, seat))
        text = f"Ore brings {table.state.price} coins today: what do you dig and sell?"
        return Question(f"{table.phase}/{seat}", seat, text, menu, Pace.SLOT, "lode.dig")

    def _suggest(self, field: Field, seat: Seat, pick: Pick) -> tuple[Intent, ...]:
        return tuple(self.book.suggest(self.ahead(field, seat), seat, ("DIG", "SELL"), pick))

    def doubts(self, field: Field, seat: Seat, sheet: Sequence[Intent]) -> tuple[Doubt, ...]:
        shafts = sum(order.shafts for order in sheet if isinstance(order, Dig))
        short = shafts * SHAFT > coins_of(field, seat)
        return (Doubt(f"Your coins do not pay for {shafts} shafts.", "lode.dig", True),) if short else ()

    def ahead(self, field: Field, seat: Seat, sheet: Sequence[Intent] = ()) -> Ahead[Field]:
        spent = SHAFT * sum(order.shafts for order in sheet if isinstance(order, Dig))
        return lambda verb: field.having(seat, coins=-min(spent, coins_of(field, seat)))

    def nouns(self, field: Field) -> tuple[Noun, ...]:
        wares = (Noun("ore", "ware"), Noun("shafts", "work", ("shaft",)), Noun("coins", "money", ("coin",)))
        return (*wares, *super().nouns(field))

    def predicates(self, field: Field) -> tuple[Verb, ...]:
        return (Verb("PRICE", "what a piece of ore brings", "PRICE >= 8", "lode.price"),)

    def true(self, field: Field, seat: Seat, test: Predicate) -> bool:
        return compares(test, field.price)

    def living(self, field: Field) -> tuple[Seat, ...]:
        return tuple(field.miners)

    def score(self, field: Field) -> Tally:
        best = sorted(field.miners.items(), key=lambda item: -item[1].coins)
        ranks = {seat: 1 + sum(other.coins > miner.coins for _, other in best) for seat, miner in best}
        places = tuple(Standing(ranks[s], s, m.coins, f"{m.coins} coins, {m.ore} ore") for s, m in best)
        return Tally(places, "coins", self.next_phase(field) is None)

    def sheets(self, history: Sequence[Event], field: Field, reader: Reader) -> tuple[Sheet, ...]:
        rows = tuple((seat, miner.coins, miner.ore) for seat, miner in field.miners.items())
        return (Sheet("miners", "Miners", (Grid(("miner", "coins", "ore"), rows),)),)


GAME = Lode()
