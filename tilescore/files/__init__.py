"""Files of the person: their names as text, plain files among other things, locks, and writing without loss."""
