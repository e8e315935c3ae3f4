"""SEND archive: the archive of a match, all its pages and what a verifier needs, as one file with a letter."""

from __future__ import annotations

import io
import zipfile

from referee.mail import Attachment
from referee.service.archive import archive_of
from referee.service.library import Missing
from referee.service.office import Office
from referee.service.ports import MatchRow, Step

__all__ = ["archive_file"]

_LONG_AGO = (1980, 1, 1, 0, 0, 0)
"""What the files are dated: the same archive is the same file whenever it is asked for."""


def archive_file(office: Office, step: Step, row: MatchRow) -> tuple[Attachment, ...] | Missing:
    """The archive as a zip, or why it does not go with a letter and what does."""
    files, index = archive_of(office, step, row)
    made = _zipped(row.name, {**files, "index.html": index})
    most = office.limits.archive_bytes
    if len(made) > most:
        return Missing(
            f"The archive of {row.name} has {len(made) / 1e6:.1f} MB, and {most / 1e6:g} MB go with a letter. SEND report TURN 3, "
            "SEND sheets AS csv and SEND log AS csv bring parts of it; who keeps this service has the folder."
        )
    return (Attachment(f"{row.name}-archive.zip", "application/zip", made),)


def _zipped(name: str, files: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, data in sorted(files.items()):
            archive.writestr(zipfile.ZipInfo(f"{name}/{path}", _LONG_AGO), data, zipfile.ZIP_DEFLATED)
    return out.getvalue()
