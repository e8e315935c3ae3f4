"""A small game that has everything the core must carry, so that the core is tested without any real rulebook.

Two or three bidders bid in secret for a prize found by a die. The winner pays, draws a card face down, and may be
challenged by the bidder after him. Coins may be given and coppers tossed at any time. Cards count at the end.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Self

import msgspec

from referee.core.choices import Asking, Choice, Pick
from referee.core.event import Audience, Drawn, Event, PhaseBegan
from referee.core.game import Options, Phase, Rule
from referee.core.names import Reader, Role, Seat
from referee.core.order import Doubt, Intent, Noun, Predicate, Setting, Verb
from referee.core.page import Bullets, Grid, Page, Sheet, Standing, Tally
from referee.core.question import Amount, OneOf, Orders, Pace, Question, Several
from referee.core.table import Script, Table
from referee.kit.declared import AT_ONCE, Book, Declared, Words
from referee.kit.fields import HowMany, One, Row
from referee.kit.game import BaseGame, Change
from referee.kit.refused import Refused

SEATS = (Seat("Ann"), Seat("Bob"), Seat("Cyd"))
DECK = {"clay": 4, "iron": 3, "jade": 2, "ruby": 1}
WORTH = {"clay": 1, "iron": 2, "jade": 4, "ruby": 7, "hidden": 0}


class Purse(msgspec.Struct, frozen=True):
    """What a bidder has. A card that the reader may not see is `hidden`."""

    coins: int = 10
    cards: tuple[str, ...] = ()


class Standoff(msgspec.Struct, frozen=True):
    """The position: whose purse holds what, how many rounds were played, and what lies on the table."""

    purses: dict[Seat, Purse]
    rounds: int
    challenges: bool
    begun: int = -1
    prize: int = 0
    shown: bool = False


# ---------------------------------------------------------------- what players may order


def _coins(state: Standoff, seat: Seat) -> int:
    return max(0, state.purses[seat].coins)


def _others(state: Standoff, seat: Seat, got: Mapping[str, Any]) -> list[Choice[Seat]]:
    return [Choice(other, other, f"{purse.coins} coins") for other, purse in state.purses.items() if other != seat]


def _how_many(least: int) -> HowMany:
    return HowMany("coins", "coins", "money", held=_coins, rule="toy.bid", least=least)


class Bid(Declared[Standoff], frozen=True):
    """Offer so many coins for the prize."""

    coins: int

    words = Words("BID", "bid coins for the prize", "toy.bid", "BID 3 coins")
    fields = (_how_many(0),)
    says, phase, rare = "Bid {coins} for the prize.", "Round", 0

    @classmethod
    def advice(cls, state: Standoff, seat: Seat) -> tuple[str, bool]:
        return f"{state.purses[seat].coins} coins are yours.", True


class Challenge(Declared[Standoff], frozen=True):
    """Dispute the prize whenever one of these bidders has won it."""

    foes: tuple[Seat, ...]

    words = Words("CHALLENGE", "dispute their prizes", "toy.challenge", "CHALLENGE {other}")
    fields = (Row("foes", ("side",), taken=Seat, say=" or ".join, among=_others),)
    says, phase = "Challenge {foes}.", "Round"

    @classmethod
    def proposed(cls, state: Standoff, seat: Seat) -> tuple[Self, ...]:
        return ()

    def check(self, state: Standoff, seat: Seat) -> None:
        if seat in self.foes:
            raise Refused("Not to yourself.", "toy.challenge", seat)
        if not state.challenges:
            raise Refused("Nobody may challenge.", "toy.challenge", "CHALLENGE")


class Give(Declared[Standoff], frozen=True):
    """Hand coins to another bidder, at any time."""

    coins: int
    to: Seat

    words = Words("GIVE", "give coins now", "toy.give", "GIVE 1 coin TO {other}")
    fields = (
        One("to", ("side",), "TO", taken=Seat, several=("To one bidder.", "toy.give"), among=_others),
        _how_many(1),
    )
    says, phase = "Give {to} {coins}.", AT_ONCE

    def check(self, state: Standoff, seat: Seat) -> None:
        if seat == self.to:
            raise Refused("Not to yourself.", "toy.give", seat)

    def do_at_once(self, table: Table[Standoff], seat: Seat) -> None:
        table.emit(CoinsGiven(seat, self.to, min(self.coins, table.state.purses[seat].coins)))


class Toss(Declared[Standoff], frozen=True):
    """Toss a copper for oneself, at any time."""

    words = Words("TOSS", "toss a copper now", "toy.toss", "TOSS")
    fields = ()
    says, phase = "Toss a copper.", AT_ONCE

    @classmethod
    def choices(cls, state: Standoff, seat: Seat) -> Asking[Self]:
        yield from ()
        return cls()

    def do_at_once(self, table: Table[Standoff], seat: Seat) -> None:
        (face,) = table.roll(1, 2, f"{seat}'s copper", "toy.toss", seen_by=(seat,))
        table.emit(CopperTossed(seat, face == 1))


# ---------------------------------------------------------------- what can happen


class PrizeShown(Change, frozen=True):
    """The prize of a round was found by a die."""

    audience = Audience.EVERYONE
    rule = "toy.prize"
    says = "A prize of {coins} coins was shown."
    coins: int

    def change(self, state: Standoff) -> Standoff:
        return msgspec.structs.replace(state, prize=self.coins)


class BidMade(Event, frozen=True):
    """A bid went into the hat; only the bidder knows it."""

    audience = Audience.OWNER
    rule = "toy.bid"
    says = "{seat} bid {coins}."
    seat: Seat
    coins: int


class PrizeWon(Change, frozen=True):
    """The highest bid won the prize and was paid."""

    audience = Audience.EVERYONE
    rule = "toy.bid"
    says = "{seat} paid {paid} and won {coins} coins."
    seat: Seat
    paid: int
    coins: int

    def change(self, state: Standoff) -> Standoff:
        return _purse(state, self.seat, self.coins - self.paid)


class CardTaken(Change, frozen=True):
    """A card was taken face down; the others learn only that."""

    audience = Audience.EVERYONE
    rule = "toy.card"
    says = "{seat} took a card: {card}."
    seat: Seat
    card: str

    def change(self, state: Standoff) -> Standoff:
        return _purse(state, self.seat, cards=(*state.purses[self.seat].cards, self.card))

    def told_to(self, reader: Reader) -> Event:
        if reader in (self.seat, Role.REFEREE):
            return self
        return msgspec.structs.replace(self, card="hidden")


class PrizeChallenged(Change, frozen=True):
    """A challenge took coins of the prize from the winner, or failed."""

    audience = Audience.EVERYONE
    rule = "toy.challenge"
    says = "{seat} challenged {winner} and took {coins} coins."
    seat: Seat
    winner: Seat
    coins: int

    def change(self, state: Standoff) -> Standoff:
        return _purse(_purse(state, self.seat, self.coins), self.winner, -self.coins)


class CardsBurnt(Change, frozen=True):
    """A bidder threw cards away; the others learn how many."""

    audience = Audience.EVERYONE
    rule = "toy.burn"
    seat: Seat
    cards: tuple[str, ...]

    def change(self, state: Standoff) -> Standoff:
        return _purse(state, self.seat, cards=_without(state.purses[self.seat].cards, self.cards))

    def told_to(self, reader: Reader) -> Event:
        if reader in (self.seat, Role.REFEREE):
            return self
        return msgspec.structs.replace(self, cards=("hidden",) * len(self.cards))

    def sentence(self) -> str:
        return f"{self.seat} burnt {', '.join(self.cards)}."


class CardsShown(Change, frozen=True):
    """After the last round everybody laid his cards open."""

    audience = Audience.EVERYONE
    rule = "toy.end"
    seat: Seat
    cards: tuple[str, ...]

    def change(self, state: Standoff) -> Standoff:
        return msgspec.structs.replace(_purse(state, self.seat, cards=self.cards), shown=True)

    def sentence(self) -> str:
        return f"{self.seat} had {', '.join(self.cards) or 'no cards'}."


class CoinsGiven(Change, frozen=True):
    """Coins changed hands as a gift."""

    audience = Audience.EVERYONE
    rule = "toy.give"
    says = "{seat} gave {to} {coins} coins."
    seat: Seat
    to: Seat
    coins: int

    def change(self, state: Standoff) -> Standoff:
        return _purse(_purse(state, self.seat, -self.coins), self.to, self.coins)


class CopperTossed(Event, frozen=True):
    """A copper was tossed, for its owner's eyes only."""

    audience = Audience.OWNER
    rule = "toy.toss"
    seat: Seat
    heads: bool

    def sentence(self) -> str:
        return f"{self.seat} tossed {'heads' if self.heads else 'tails'}."


_RULES = {
    "toy.prize": "A die finds the prize of each round.",
    "toy.bid": "All bid in secret; the highest bid pays, ties go to the earlier seat.",
    "toy.card": "Everybody draws a card face down before the first round, the winner of a prize one more.",
    "toy.challenge": "The seat after the winner may challenge; on 4 or more he takes the prize.",
    "toy.burn": "A winner with two cards or more may burn some.",
    "toy.give": "Coins may be given at any time.",
    "toy.toss": "Coppers may be tossed at any time.",
    "toy.end": "After the last round coins and cards are counted.",
}


def _purse(state: Standoff, seat: Seat, coins: int = 0, cards: tuple[str, ...] | None = None) -> Standoff:
    """The position with a purse changed: coins added, cards replaced."""
    old = state.purses[seat]
    new = Purse(old.coins + coins, old.cards if cards is None else cards)
    return msgspec.structs.replace(state, purses={**state.purses, seat: new})


def _without(cards: Sequence[str], gone: Iterable[str]) -> tuple[str, ...]:
    left = list(cards)
    for card in gone:
        left.remove(card if card in left else "hidden")
    return tuple(left)


def _left(state: Standoff) -> Mapping[str, int]:
    """The deck is whatever nobody holds; burnt cards go back."""
    held = [card for purse in state.purses.values() for card in purse.cards]
    return {card: number - held.count(card) for card, number in DECK.items()}


class Toy(BaseGame[Standoff]):
    """The game value."""

    name = "toy"
    title = "The Secret Bids"
    book = Book((Bid, Challenge, Give, Toss), {("money", "coins"): "coin"})
    one_report = True
    settings = (
        Setting("rounds", ("3", "2"), "how many prizes are bid for", "toy.end"),
        Setting("challenges", ("yes", "no"), "whether a prize may be challenged", "toy.challenge"),
    )
    events: tuple[type[Event], ...] = (
        PrizeShown, BidMade, PrizeWon, CardTaken, PrizeChallenged, CardsBurnt, CardsShown, CoinsGiven, CopperTossed,
    )  # fmt: skip
    rules = tuple(Rule(id, text, "house", "HOUSE") for id, text in _RULES.items())

    def seat_names(self, options: Options) -> tuple[str, ...]:
        return SEATS

    def setup(self, sides: tuple[Seat, ...], options: Options) -> Standoff:
        return Standoff({seat: Purse() for seat in sides}, int(options["rounds"]), options["challenges"] == "yes")

    def next_phase(self, state: Standoff) -> Phase[Standoff] | None:
        number = state.begun + 1
        if number == 0:
            return Phase("deal", 0, "The deal", self._deal, reports=False)
        if number > state.rounds:
            return None
        return Phase(f"R{number}", number, f"Round {number}", self._round)

    def evolve(self, state: Standoff, event: Event) -> Standoff:
        if isinstance(event, PhaseBegan):
            return msgspec.structs.replace(state, begun=0 if event.key == "deal" else int(event.key[1:]))
        return super().evolve(state, event)

    # ------------------------------------------------------------ the scripts

    def _deal(self, table: Table[Standoff]) -> Script[None]:
        for seat in table.state.purses:
            self._card(table, seat)
        yield from table.ask_all(())

    def _card(self, table: Table[Standoff], seat: Seat) -> None:
        for card in table.draw("the deck", _left(table.state), 1, f"{seat}'s card", "toy.card", seen_by=(seat,)):
            table.emit(CardTaken(seat, card))

    def _round(self, table: Table[Standoff]) -> Script[None]:
        table.emit(PrizeShown(sum(table.roll(2, 6, "the prize", "toy.prize"))))
        seats = tuple(table.state.purses)
        answers = yield from table.ask_all([self._orders(table, seat) for seat in seats])
        bids = {seat: self._bid(table, seat, answer.value) for seat, answer in zip(seats, answers, strict=True)}
        for seat, coins in bids.items():
            table.emit(BidMade(seat, coins))
        winner = max(seats, key=lambda seat: bids[seat])
        table.emit(PrizeWon(winner, bids[winner], table.state.prize))
        self._card(table, winner)
        if table.state.challenges:
            yield from self._challenge(table, winner, seats[(seats.index(winner) + 1) % len(seats)])
        yield from self._burn(table, winner)
        if table.state.begun == table.state.rounds:
            for seat in seats:
                table.emit(CardsShown(seat, table.state.purses[seat].cards))

    def _orders(self, table: Table[Standoff], seat: Seat) -> Question[tuple[Intent, ...]]:
        def suggest(pick: Pick) -> tuple[Intent, ...]:
            return tuple(self.book.suggest(lambda _: table.state, seat, ("BID", "CHALLENGE"), pick))

        menu = Orders(("BID", "CHALLENGE"), Bid | Challenge, suggest)
        text = f"What do you bid for {table.state.prize} coins?"
        return Question(f"{table.phase}/{seat}/orders", seat, text, menu, Pace.WINDOW, "toy.bid")

    def _bid(self, table: Table[Standoff], seat: Seat, sheet: Sequence[Intent]) -> int:
        """The last bid, as far as the purse goes."""
        wanted = [intent.coins for intent in sheet if isinstance(intent, Bid)]
        return max(0, min(table.state.purses[seat].coins, wanted[-1] if wanted else 0))

    def _challenge(self, table: Table[Standoff], winner: Seat, seat: Seat) -> Script[None]:
        def recognise(sheet: Sequence[Intent]) -> bool | None:
            foes = [foe for intent in sheet if isinstance(intent, Challenge) for foe in intent.foes]
            return winner in foes if foes else None

        menu = OneOf(
            [Choice("challenge", True, "on 4 or more you take the prize"), Choice("let it pass", False)], False
        )
        text = f"{winner} has won {table.state.prize} coins. Do you challenge?"
        key = f"{table.phase}/{seat}/challenge"
        question = Question(key, seat, text, menu, Pace.REPLY, "toy.challenge", recognise)
        if not (yield from table.ask(question)).value:
            return
        (face,) = table.roll(1, 6, f"{seat} challenges {winner}", "toy.challenge")
        most = 0 if face < 4 else table.state.prize
        share = Question(
            f"{key}/share", seat, "How much do you take?", Amount(0, most, most), Pace.REPLY, "toy.challenge"
        )
        taken = (yield from table.ask(share)).value if most else 0
        table.emit(PrizeChallenged(seat, winner, taken))

    def _burn(self, table: Table[Standoff], seat: Seat) -> Script[None]:
        """Asked of everybody with two cards or more: that somebody is asked must give no secret away."""
        cards = table.state.purses[seat].cards
        if len(cards) < 2:
            return
        menu = Several([Choice(card, card) for card in sorted(set(cards))], 2)
        question = Question(
            f"{table.phase}/{seat}/burn", seat, "Which cards do you burn?", menu, Pace.REPLY, "toy.burn"
        )
        gone = (yield from table.ask(question)).value
        if gone:
            table.emit(CardsBurnt(seat, gone))

    # ------------------------------------------------------------ words and orders

    def nouns(self, state: Standoff) -> tuple[Noun, ...]:
        return (Noun("coins", "money", ("coin",)), *super().nouns(state))

    def predicates(self, state: Standoff) -> tuple[Verb, ...]:
        return (Verb("coins", "how many coins you have", "coins >= 3", "toy.bid"),)

    def true(self, state: Standoff, seat: Seat, test: Predicate) -> bool:
        return state.purses[seat].coins >= (test.number or 0)

    def doubts(self, state: Standoff, seat: Seat, sheet: Sequence[Intent]) -> tuple[Doubt, ...]:
        bids = [intent.coins for intent in sheet if isinstance(intent, Bid)]
        return (
            (Doubt(f"{bids[0]} is more than the prize of {state.prize}.", "toy.bid"),)
            if bids[:1] > [state.prize]
            else ()
        )

    # ------------------------------------------------------------ what readers get

    def report(self, before: Standoff, events: Sequence[Event], after: Standoff, reader: Reader) -> Page:
        sentences = tuple(s for event in events if (s := event.sentence()))
        return Page(f"Round {after.begun}", sentences[-1], (Bullets(sentences),))

    def sheets(self, history: Sequence[Event], state: Standoff, reader: Reader) -> tuple[Sheet, ...]:
        rows = tuple((seat, purse.coins, " ".join(purse.cards)) for seat, purse in state.purses.items())
        drawn = sum(isinstance(event, Drawn) for event in history)
        return (Sheet("purses", "Purses", (Grid(("who", "coins", "cards"), rows, f"{drawn} draws seen"),)),)

    def logs(self, history: Sequence[Event], reader: Reader) -> tuple[Sheet, ...]:
        rows = tuple((event.sentence(),) for event in history)
        return (Sheet("events", "Everything", (Grid(("what",), rows),)),)

    def score(self, state: Standoff) -> Tally:
        """Coins, which everybody can count; cards are counted when all are laid open at the end."""
        points = {s: p.coins + state.shown * sum(WORTH[card] for card in p.cards) for s, p in state.purses.items()}
        ranks = {seat: 1 + sum(other > mine for other in points.values()) for seat, mine in points.items()}
        best = sorted(points, key=lambda seat: (ranks[seat], seat))
        return Tally(tuple(Standing(ranks[s], s, points[s], f"{points[s]} coins") for s in best), "coins", state.shown)

    def living(self, state: Standoff) -> tuple[Seat, ...]:
        return tuple(state.purses)

    def audit(self, before: Standoff, events: Sequence[Event], after: Standoff) -> tuple[str, ...]:
        won = sum(event.coins - event.paid for event in events if isinstance(event, PrizeWon))
        had, now = (sum(purse.coins for purse in state.purses.values()) for state in (before, after))
        return () if had + won == now else (f"coins: {had} + {won} is not {now}.",)


TOY = GAME = Toy()
