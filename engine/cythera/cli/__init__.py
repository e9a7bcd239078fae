"""The commands of `cythera`, a module each: parse arguments, call, print."""
