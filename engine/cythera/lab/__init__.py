"""The lab: every algorithm of the textbooks on adversarial search, running, counted and drawn.

    game, search       the protocol of games, and what all searches share
    games/             tic-tac-toe, Connect Four, trees, dice, three players, Pac-Man, chess
    algorithms/        one module for each, reading like its definition
    reference          the plain chess search that the engine is held to
    view/              a search as data, its layout, pictures, pages and plots
    experiments/       measurements that one command repeats
    cli, play, tables  `cythera lab`

Standard library only, and `cythera.Position` where the game is chess.
"""
