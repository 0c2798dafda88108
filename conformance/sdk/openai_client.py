"""The official openai SDK as the client of a gateway, over HTTP or HTTPS."""

from __future__ import annotations

from typing import Any

import openai
from openai import AsyncOpenAI, DefaultAsyncHttpxClient, DefaultHttpxClient, OpenAI

from conformance.sdk.clients import SdkClients
from conformance.session import Session
from conformance.tls import is_secure, trusting


def openai_clients(kind: str, gateway: Session, key: str = "none", **client: Any) -> SdkClients[openai.APIError]:
    """Retries are off unless asked for: the gateway's answers are what is looked at."""
    options: dict[str, Any] = {"base_url": gateway.url + "/v1", "api_key": key, "max_retries": 0, **client}
    if is_secure(gateway.url):
        made = DefaultHttpxClient if kind == "sync" else DefaultAsyncHttpxClient
        options["http_client"] = made(verify=trusting())
    return SdkClients(kind, OpenAI, AsyncOpenAI, openai.APIError, **options)
