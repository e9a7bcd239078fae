"""A search as data (`trace`), heard by a watcher (`recorder`), placed (`layout`) and drawn (`svg`, `html`, `plot`)."""
