"""Opening books for matches, and how they are made."""
