"""The claims of the atlas."""
