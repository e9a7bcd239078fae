"""The table of commands."""

# Name -> (module with `main(argv) -> exit code`, one line of help). Modules load only when called.
COMMANDS = {
    "play": ("cythera.cli.play", "a game in the terminal"),
    "path": ("cythera.cli.path", "what to paste into a chess GUI"),
    "analyse": ("cythera.cli.analyse", "annotate games, or watch the engine think"),
    "explain": ("cythera.cli.explain", "why a move: threats, refutation, terms, the search tree"),
    "bench": ("cythera.cli.bench", "signature and speed"),
    "doctor": ("cythera.cli.doctor", "check this installation and its speed"),
    "perft": ("cythera.cli.perft", "count move sequences from a position"),
    "match": ("cythera.cli.match", "play engines against each other"),
    "compliance": ("cythera.cli.compliance", "check that a UCI engine behaves as GUIs expect"),
    "openings": ("cythera.cli.openings", "make an opening file for matches"),
    "book": ("cythera.cli.book", "Polyglot opening books, made from games"),
    "games": ("cythera.cli.games", "an index of games: find, count, explore openings"),
    "tables": ("cythera.cli.tables", "endgame tables: make, check, probe, list, statistics"),
    "tunables": ("cythera.cli.tunables", "the search parameters, as JSON"),
    "datagen": ("cythera.cli.datagen", "play games against itself for tuning and training"),
    "train": ("cythera.cli.train", "train a net on self-play games"),
    "tune": ("cythera.cli.tune", "tune the evaluation or the search"),
    "lab": ("cythera.cli.lab", "textbook search algorithms: run, compare and draw them"),
    "completion": ("cythera.cli.completion", "shell completion for bash, zsh and fish"),
    "web": ("cythera.cli.web", "the board in the browser: play, analyse, watch"),
}
