"""The values that a session of the app holds."""
