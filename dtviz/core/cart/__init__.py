"""CART: best-first growth on examples, by scans over levels of nodes."""
