"""The arrays that pass between the modules."""

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Pixels = NDArray[np.uint8]
Probabilities = NDArray[np.float32]
