"""Games that were played once and are kept: what the players wrote, and what everybody read of it.

A folder holds a game; of a game with optional rules there may be several: `war27` plays the standard rules, `war27-dealt`
and `war27-historical` between them every optional one, as not all go together. `match.toml` says which game it is, with
which options and players, the text from which its dice follow, and what its reports must show. Beside it stands a folder
for each phase, in the order of play:

- `1-Red.txt`, `2-Blue.txt`, ...: the letters of the players, in the order in which they were sent; `3-clock.txt` lets so
  many hours pass instead;
- `receipts.txt`: the subject of the answer to each of them;
- `report.txt`: the report of the phase as everybody reads it, and `report-Red.txt` as a player does who reads otherwise;
- `sheets.txt`, in the last folder: the public record sheets at the end.

`make played` (PLAYED=write) writes receipts, reports and sheets anew; read the difference before you keep it.
"""
