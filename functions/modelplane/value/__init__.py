"""Values with rules of their own: quantities, versions, weights and a device's facts; the standard library alone."""
