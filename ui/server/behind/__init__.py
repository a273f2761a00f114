"""The app behind a reverse proxy: its public address, and what the proxy passes on."""
