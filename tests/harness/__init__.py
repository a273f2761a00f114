"""The room that tests and measurements share: the app and other processes under test, and random hands."""
