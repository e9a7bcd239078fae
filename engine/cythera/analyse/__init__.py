"""Whole games looked at by the engine: read (`source`), searched (`work`, `run`), judged (`judge`,
`game`) and shown (`annotate`, `page`). `cythera analyse` is the command of it, `Engine.analyse_game`
the door from Python.
"""
