"""What a browser finds again: its name, its table, its past hands."""
