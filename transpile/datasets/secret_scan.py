"""Secrets in rows, which would be learnt by heart: keys and passwords, and paths of this machine."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from transpile.errors import UsageError

# Those that know the form of a key: what only looks random, a table of an FFT does too.
_PLUGINS = (
    "ArtifactoryDetector",
    "AWSKeyDetector",
    "AzureStorageKeyDetector",
    "BasicAuthDetector",
    "CloudantDetector",
    "DiscordBotTokenDetector",
    "GitHubTokenDetector",
    "GitLabTokenDetector",
    "IbmCloudIamDetector",
    "IbmCosHmacDetector",
    "JwtTokenDetector",
    "MailchimpDetector",
    "NpmDetector",
    "OpenAIDetector",
    "PrivateKeyDetector",
    "PypiTokenDetector",
    "SendGridDetector",
    "SlackDetector",
    "SquareOAuthDetector",
    "StripeDetector",
    "TelegramBotTokenDetector",
    "TwilioKeyDetector",
)


class SecretScan:
    """Finds what no row may hold."""

    def __init__(self, places: Collection[str]) -> None:
        """Prepare a scan.

        Args:
            places: Paths of this machine.

        Raises:
            UsageError: The library is not installed.
        """
        try:
            from detect_secrets.core.scan import scan_line
            from detect_secrets.settings import transient_settings
        except ImportError as error:
            raise UsageError(
                "secrets are looked for by the package 'detect-secrets'",
                hint="Install it: pip install 'transpile[pairs]'",
            ) from error
        self._scan = scan_line
        self._settings = transient_settings
        self._places = [place for place in places if len(place) > 1]

    def found(self, text: str) -> str:
        """Return what is found in a text, in words; empty where there is nothing."""
        if any(place in text for place in self._places):
            return "with a path of this machine"
        return next(self._secrets(text), "")

    def _secrets(self, text: str) -> Iterator[str]:
        with self._settings({"plugins_used": [{"name": name} for name in _PLUGINS]}):
            for line in text.splitlines():
                for secret in self._scan(line):
                    yield f"with what looks like a secret ({secret.type})"
