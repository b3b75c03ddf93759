"""Language models: one Protocol, and providers that are imported only where one is asked for."""

from transpile.translators.models.opening import check, open_model
from transpile.translators.models.protocol import Completion, Limits, Message, Model, Request

__all__ = ["Completion", "Limits", "Message", "Model", "Request", "check", "open_model"]
