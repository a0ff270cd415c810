"""The claims of the book, a test function each: see `claims.kit`."""
