"""Fitting weights and search parameters: Texel, WDL, SPSA, games in process."""
