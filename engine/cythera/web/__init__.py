"""The board in the browser: `cythera web`.

    cli        the command: finds a port, serves on loopback, opens the browser
    app        the few addresses there are
    guard      who may ask: this machine's own pages, and nobody else
    tab        one open page: its requests, its engines, its end
    messages   what a page says, checked
    requests/  what a page may ask for, one class per kind
    outbox     what a page hears: ten messages a second at most, the latest of each kind
    drawing    trees of the lab, drawn in a process of their own
    page/      the page's sources; built into static/ by setup.py or npm

The page keeps the game and its rules; the server keeps the engines. Each request brings its whole
game, so a connection that breaks loses nothing. Nothing here is imported by the engine.
"""
