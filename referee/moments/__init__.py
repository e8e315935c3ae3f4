"""Moments, days, spans of time and zones as people write them, in several languages: they are read here alone, and bounded.

Read in this order: reading (with words.toml: one way to write each), zones (the zone that is meant, or some that may be),
meaning (the moment that is meant, seen from now).
"""

from referee.moments.meaning import day, days, hour, local_moments, moment, past_day, plain_moment, spans
from referee.moments.reading import (
    FURTHEST,
    Unclear,
    day_at,
    days_at,
    hour_at,
    moment_at,
    seconds_of,
    span_at,
    weekday_at,
    words_of,
)
from referee.moments.zones import COMMONEST, called, find_zone, is_zone, zone_named

__all__ = [
    "COMMONEST",
    "FURTHEST",
    "Unclear",
    "called",
    "day",
    "day_at",
    "days",
    "days_at",
    "find_zone",
    "hour",
    "hour_at",
    "local_moments",
    "is_zone",
    "moment",
    "moment_at",
    "past_day",
    "plain_moment",
    "seconds_of",
    "span_at",
    "spans",
    "weekday_at",
    "words_of",
    "zone_named",
]
