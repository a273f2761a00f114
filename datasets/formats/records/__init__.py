"""Formats that are read only and need few lines each: a table of records of JSON, and one of lines of text.

Each entry says how to tell the format from the start of a file, and how one record becomes a picture. `intake.reader`
goes through the files.
"""
