"""Fixtures of these tests."""

from support.engine_fixtures import engine, net_file, no_process_left_behind, talk

__all__ = ["engine", "net_file", "no_process_left_behind", "talk"]
