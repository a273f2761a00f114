"""The classes of the networks by number: the 46 faces in their order, and the groups that rules single out."""

from typing import Final

import numpy as np

from tilescore.scoring.tiles import ALL_FACES

CLASS_OF: Final = {tile: index for index, tile in enumerate(ALL_FACES)}
"""The class number of each tile."""
NO_TILE: Final = len(ALL_FACES)
"""The class number of `no tile`, a class of the classifiers only."""
BONUS_CLASSES: Final = np.array([index for index, face in enumerate(ALL_FACES) if face.is_bonus])
"""The class numbers of flowers and seasons."""
_BY_TEXT: Final = {str(tile): index for tile, index in CLASS_OF.items()}
SUIT_CLASSES: Final = tuple(
    (_BY_TEXT[f"0{suit}"], _BY_TEXT[f"5{suit}"], [_BY_TEXT[f"{rank}{suit}"] for rank in range(1, 10)]) for suit in "mps"
)
"""For each suit the class numbers of its red five, of its plain five, and of all its plain tiles."""
REDS: Final = [red for red, _, _ in SUIT_CLASSES]
"""The class numbers of the red fives."""
