"""What the lab raises."""

from cythera.errors import CytheraError


class LabError(CytheraError, ValueError):
    """Something the lab cannot do, said in one sentence."""
