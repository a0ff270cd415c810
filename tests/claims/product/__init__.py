"""The claims of chapter `dtviz.product`."""
