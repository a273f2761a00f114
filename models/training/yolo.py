"""The offline import of ultralytics (extra `train`). All other modules import ultralytics from here.

`tilescore.telemetry` sets the variables that keep ultralytics from the network. The settings of ultralytics and the
font cache of matplotlib lie in the data folder of Tilescore, so the settings of the user stay the same.

This module loads ultralytics when it is imported. Import it inside a training function only.
"""

import logging
import os
import shutil
from pathlib import Path

from tilescore.files.paths import data_folder

for _name in ("MPLCONFIGDIR", "YOLO_CONFIG_DIR"):
    os.environ[_name] = str(data_folder() / "training")

import matplotlib as mpl  # noqa: E402  # these libraries read the variables when they load
from ultralytics import SETTINGS, YOLO  # noqa: E402
from ultralytics.models.yolo.detect import DetectionTrainer  # noqa: E402
from ultralytics.nn.tasks import DetectionModel  # noqa: E402
from ultralytics.utils import LOGGER, USER_CONFIG_DIR  # noqa: E402
from ultralytics.utils.patches import torch_load  # noqa: E402

__all__ = ["YOLO", "DetectionModel", "DetectionTrainer", "silence", "torch_load"]

SETTINGS.update({"sync": False})
for _name in ("Arial.ttf", "Arial.Unicode.ttf"):  # a training downloads these fonts in spite of YOLO_OFFLINE
    if not (USER_CONFIG_DIR / _name).exists():
        shutil.copyfile(Path(mpl.get_data_path()) / "fonts" / "ttf" / "DejaVuSans.ttf", USER_CONFIG_DIR / _name)


def silence() -> None:
    """Let ultralytics print nothing but errors."""
    LOGGER.setLevel(logging.ERROR)
