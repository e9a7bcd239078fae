"""The UCI protocol and the program that speaks it."""
