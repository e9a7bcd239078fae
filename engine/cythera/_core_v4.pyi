from cythera._core_generic import *  # noqa: F403
