"""The claims of chapter `dtviz.rank`."""
