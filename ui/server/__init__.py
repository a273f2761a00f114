"""The app as a server in this process."""
