"""The page of what was before: past hands, players over many games, copies of everything."""
