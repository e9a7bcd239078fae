"""The lab: every algorithm of the textbooks on adversarial search, running, counted and drawn.

    game, search       the protocol of games, and what all searches share
    games/             k in a line, Othello, checkers, chess, dice, three players, Pac-Man, trees
    algorithms/        one module for each, reading like its definition
    reference          the plain chess search that the engine is tested against
    view/              a search as data, its layout, pictures, pages and plots
    experiments/       measurements that one command repeats
    texts/             what people read, one file per language
    play, tables       for `cythera lab`
    notebook           for notebooks

Standard library only, and `cythera.Position` where the game is chess.
"""
