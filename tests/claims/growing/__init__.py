"""The claims of chapter `dtviz.growing`."""
