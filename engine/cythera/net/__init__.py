"""Nets: the file format, loading, and the reference evaluation."""
