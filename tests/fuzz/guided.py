"""The coverage-guided fuzzer: reads letters and orders under atheris, with libFuzzer's own limits.

Run by hand: python -m tests.fuzz.guided FOLDER [-max_total_time=600]; FOLDER keeps what reached new code.
"""

from __future__ import annotations

import sys

import atheris

with atheris.instrument_imports(include=["referee.mail", "referee.orders"]):
    from tests.fuzz.test_any_letter import check

_LIMITS = ("-timeout=2", "-rss_limit_mb=1024", "-max_len=20000")


def main() -> None:
    """Fuzz until libFuzzer's own limits end it; an input that fails is left as a crash-* or timeout-* file."""
    check(b"From: anna@players.example\r\n\r\nHIRE 1 worker\r\n")  # words are made ready before the clock runs
    atheris.Setup([sys.argv[0], *_LIMITS, *sys.argv[1:]], check)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
