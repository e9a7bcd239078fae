"""Training a neural evaluation on self-play games (docs/training.md)."""
