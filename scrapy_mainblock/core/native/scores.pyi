"""A forest's scores (`core.forest`)."""

import numpy as np
import numpy.typing as npt

class Trees:
    def __init__(
        self,
        features: npt.NDArray[np.int64],
        thresholds: npt.NDArray[np.float32],
        asked: npt.NDArray[np.int64],
        leaves: npt.NDArray[np.float32],
        bias: npt.NDArray[np.float64],
    ) -> None: ...
    def score(self, columns: npt.NDArray[np.float32], scores: npt.NDArray[np.float64]) -> None: ...
