"""Shapes by which seats are told apart where their colours cannot be: in tables, curves and on boards the same ones."""

from __future__ import annotations

SHAPES = {
    "\N{BLACK CIRCLE}": "M-4 0a4 4 0 1 0 8 0a4 4 0 1 0 -8 0z",
    "\N{BLACK SQUARE}": "M-3.6 -3.6h7.2v7.2h-7.2z",
    "\N{BLACK UP-POINTING TRIANGLE}": "M0 -4.6l4.6 8h-9.2z",
    "\N{BLACK DIAMOND}": "M0 -5l5 5l-5 5l-5 -5z",
    "\N{BLACK STAR}": "M0 -5.4l1.3 3.6h3.9l-3.1 2.4l1.1 3.8l-3.2 -2.2l-3.2 2.2l1.1 -3.8l-3.1 -2.4h3.9z",
    "\N{BLACK DOWN-POINTING TRIANGLE}": "M0 4.6l4.6 -8h-9.2z",
    "\N{HEAVY GREEK CROSS}": "M-1.6 -4.8h3.2v3.2h3.2v3.2h-3.2v3.2h-3.2v-3.2h-3.2v-3.2h3.2z",
    "\N{BLACK RECTANGLE}": "M-5 -2.4h10v4.8h-10z",
}
"""The shapes of the seats, in the order of their signs in tables, as drawn round the origin."""
