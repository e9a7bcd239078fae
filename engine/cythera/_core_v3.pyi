from cythera._core_generic import *
