"""The claims of chapter `dtviz.pruning`."""
