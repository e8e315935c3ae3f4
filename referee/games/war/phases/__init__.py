"""The scripts that ask and emit, a room for each part of the turn: opening, production, movement, combat.

Here stands what several of them share: windows (decisions, asked by mail or settled at once; where those go who must
leave) and control (regions won and lost).
"""
