"""Properties run without a deadline, because a busy machine is no fault of the rules."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")
