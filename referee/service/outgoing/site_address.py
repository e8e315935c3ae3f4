"""Where the page of a match is on the web: decided here alone, for letters, feeds and pages."""

from __future__ import annotations

from urllib.parse import quote

from referee.service.office import Office


def page_of_match(office: Office, match: str) -> str:
    """The address of a match's page, ending in a slash; "" where the house does not say where its site is."""
    return f"{office.site.rstrip('/')}/{quote(match)}/" if office.site and match else ""
