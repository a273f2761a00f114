"""The score page: one hand."""
