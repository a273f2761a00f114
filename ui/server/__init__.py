"""The server of the app and its passphrase."""
