"""The claims of chapter 7, trees in practice."""
