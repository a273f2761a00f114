"""The link that gives a copy of everything, and the field that takes one."""
