"""ultralytics (extra `train`), offline; every part of the product gets it here.

`base.telemetry` has set the variables that keep ultralytics from the network. The settings of ultralytics and the
font cache of matplotlib lie in Tilescore's data folder: what the user has of these libraries stays as it is.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from tilescore.base.paths import data_folder

for _name in ("MPLCONFIGDIR", "YOLO_CONFIG_DIR"):
    os.environ[_name] = str(data_folder() / "training")

import matplotlib as mpl  # noqa: E402  # these read the variables while they load
from ultralytics import SETTINGS, YOLO  # noqa: E402
from ultralytics.models.yolo.detect import DetectionTrainer  # noqa: E402
from ultralytics.nn.tasks import DetectionModel  # noqa: E402
from ultralytics.utils import USER_CONFIG_DIR  # noqa: E402

__all__ = ["YOLO", "DetectionModel", "DetectionTrainer"]

SETTINGS.update({"sync": False})
for _name in ("Arial.ttf", "Arial.Unicode.ttf"):  # YOLO_OFFLINE does not keep it from downloading these when it trains
    if not (USER_CONFIG_DIR / _name).exists():
        shutil.copyfile(Path(mpl.get_data_path()) / "fonts" / "ttf" / "DejaVuSans.ttf", USER_CONFIG_DIR / _name)
