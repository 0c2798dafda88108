from __future__ import annotations

from dataclasses import dataclass

from ..sse import SseStyle
from ..steps import Fault


@dataclass(frozen=True)
class HtmlPage(Fault):
    """The body is an HTML page; the status is what `status` says, 200 without it.

    In production: a CDN, a captive portal or a login page that answers in place of the API.
    """

    name = "html_page"
    html: str = "<!DOCTYPE html>\n<html><head><title>502 Bad Gateway</title></head><body>Bad gateway</body></html>\n"

    def payload(self, style: SseStyle) -> bytes:
        return self.html.encode()

    def content_type(self) -> str | None:
        return "text/html; charset=utf-8"
