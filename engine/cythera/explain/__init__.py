"""Why: `explanation` puts a choice into words and numbers, `tree` shows how it was searched."""
