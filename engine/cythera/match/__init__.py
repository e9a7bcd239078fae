"""Matches between UCI engines: games, statistics, ratings and tuning.

Engines are spoken to over pipes only; nothing here imports the compiled core, but for tuning in process, which
loads it when it is asked for.
"""
