"""How tiles split into groups: complete shapes, waits, decompositions."""
