"""Trees of Boolean functions: greedy by influence, the best, and those of all functions at once."""
