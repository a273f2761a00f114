"""Worker processes, threads and clusters: how work spreads over cores, and how it stops."""
