"""A search as data (`trace`), recorded (`recorder`), placed (`layout`) and drawn (`svg`, `html`, `plot`, `board`)."""
