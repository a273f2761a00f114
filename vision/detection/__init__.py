"""Finding tiles: proposals, refined boxes, passes at several scales."""
