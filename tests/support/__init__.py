"""What several tests share: drivers of engines and pages, sample games, second implementations to compare with."""
