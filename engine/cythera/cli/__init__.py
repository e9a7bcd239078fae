"""Subcommands of `cythera` that are small enough not to need a room of their own."""
