"""Engine processes that speak UCI."""
