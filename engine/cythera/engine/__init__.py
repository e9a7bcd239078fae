"""The engine under every front end: searches, time management, options, levels, book, results."""
