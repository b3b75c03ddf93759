"""Fit expressions to observed numbers, exactly."""
