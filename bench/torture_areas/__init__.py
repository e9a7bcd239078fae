"""The areas of bench/torture.py: each has `run(rng, scratch, tried)`, which counts in `tried` what it did and
returns how the case failed, or None."""
