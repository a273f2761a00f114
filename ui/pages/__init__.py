"""Pages: thin functions from one value to widgets."""
