"""Photos in which people judged the role of each tile, and simulated tables."""
