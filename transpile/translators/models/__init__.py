"""Language models: one Protocol, and providers that are imported only where one is asked for."""

from transpile.translators.models.opening import check, open_model
from transpile.translators.models.protocol import Completion, Limits, Message, Model, Request
from transpile.translators.models.usage import Ledger

__all__ = ["Completion", "Ledger", "Limits", "Message", "Model", "Request", "check", "open_model"]
