"""What the pages ask of the networks: readings of photos, few at a time."""
