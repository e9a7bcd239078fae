"""Fixtures of these tests."""

from support.match_fixtures import book, command, config, engine, pool, task

__all__ = ["book", "command", "config", "engine", "pool", "task"]
