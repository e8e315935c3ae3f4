"""The benchmark: the referee measured beside baselines in the same run, so that only ratios count.

Read in this order: measure, sheets, house, then the cases (ingest, parsing, commits, herd, reports, turns, memory),
then catalogue, figures, show. `load` and `ringer` run in processes of their own.
"""

from referee.bench.runner import run

__all__ = ["run"]
