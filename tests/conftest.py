"""What holds for all tests: a slow machine is no failure, and the table speaks English wherever they run."""

import os

from hypothesis import HealthCheck, settings

settings.register_profile("any machine", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("any machine")
os.environ["LC_ALL"] = "C.UTF-8"
