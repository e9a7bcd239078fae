"""Colours, in light and in dark, shared by trees, plots and pages."""

FONT = "system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', sans-serif"

LIGHT = {
    "paper": "#ffffff",
    "ink": "#20242c",
    "muted": "#667085",
    "faint": "#aeb6c4",
    "rule": "#e4e7ec",
    "max": "#2f6fde",
    "min": "#d1571f",
    "chance": "#2c8a5a",
    "leaf": "#f2f4f8",
    "best": "#20242c",
    "cut": "#b42352",
    "violet": "#7b4fc9",
    "now": "#ffe9a8",
}
DARK = {
    "paper": "#14171d",
    "ink": "#e8ebf1",
    "muted": "#98a2b5",
    "faint": "#5a6476",
    "rule": "#2a303b",
    "max": "#77a7ff",
    "min": "#ff9a66",
    "chance": "#63c795",
    "leaf": "#222833",
    "best": "#f4f6fa",
    "cut": "#ff7ba0",
    "violet": "#b79bf5",
    "now": "#5a4a12",
}


def variables(colours: dict[str, str]) -> str:
    """
    >>> variables({"ink": "#000", "paper": "#fff"})
    '--ink:#000;--paper:#fff'
    """
    return ";".join(f"--{name}:{colour}" for name, colour in colours.items())


def themes(selector: str) -> str:
    """CSS that gives an element the light colours, and the dark ones to readers who prefer them."""
    return (
        f"{selector}{{{variables(LIGHT)}}}"
        f"@media(prefers-color-scheme:dark){{{selector}:not([data-theme=light]){{{variables(DARK)}}}}}"
        f"{selector}[data-theme=dark]{{{variables(DARK)}}}"
    )
