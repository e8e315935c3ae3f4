"""The scripts that ask and emit, a room for each part of the turn: opening, production, movement, combat.

Here stands what several of them share: decisions (asked by mail or settled at once), windows (one sheet of everybody), control
(regions won and lost), wayout (where those go who must leave), peace.
"""
