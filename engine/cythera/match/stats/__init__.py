"""Statistics of matches: Elo, SPRT, ratings."""
