"""Switches off the telemetry of the libraries before any of them is loaded.

`import tilescore` calls `switch_off`, and Python imports `tilescore` before any of its rooms. So the call precedes
every import of onnxruntime or ultralytics. Child processes inherit the environment variables. `tests.campaigns.privacy`
watches real processes from outside.

onnxruntime has an uploader since 1.29. When the library is loaded, the uploader writes a device identifier and a file
of events below the user's cache folder and posts both to its maker. `onnxruntime.disable_telemetry_events` comes too
late for that. The Linux builds of 1.29 to 1.31 and the macOS build of 1.31.1 read ORT_DISABLE_TELEMETRY. The Windows
build of 1.31.1 has no uploader: it hands its events to Windows' own event tracing, and `disable_telemetry_events` alone
stops it.
"""

import os
import sys
import warnings
from typing import Final

VARIABLES: Final = {
    "ORT_DISABLE_TELEMETRY": "1",
    "ORT_TELEMETRY_DISABLED": "1",  # the name in builds from source of July 2026
    "YOLO_OFFLINE": "1",
    "YOLO_AUTOINSTALL": "0",
    "ULTRALYTICS_SKIP_REQUIREMENTS_CHECKS": "1",
}
"""Environment variables that stop the libraries from sending anything; they replace values set by the user."""


def switch_off() -> None:
    """Set the variables; warn if this process has already loaded onnxruntime, which reads them only once."""
    too_late = "onnxruntime" in sys.modules and os.environ.get("ORT_DISABLE_TELEMETRY") != "1"
    os.environ.update(VARIABLES)
    if too_late:
        message = (
            "onnxruntime was imported before Tilescore and may send telemetry to its maker: "
            "import Tilescore first, or set ORT_DISABLE_TELEMETRY=1."
        )
        warnings.warn(message, RuntimeWarning, stacklevel=3)
