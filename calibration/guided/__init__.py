"""The guided calibration: step by step, with two buttons and a screen."""
