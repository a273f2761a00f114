"""The hand on the table as a value: its tiles and their roles, edits, undo, what is one tile off."""
