"""The claims of chapter `dtviz.impurity`."""
