"""Whole games judged by the engine: read (`pgn_input`), searched (`blocks`, `analysis_run`), judged (`judge`,
`game_analysis`) and shown (`annotate`, `page`). The command is `cythera analyse`, the call from Python
`Engine.analyse_game`.
"""
