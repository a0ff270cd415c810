"""The claims of chapter `dtviz.influence`."""
