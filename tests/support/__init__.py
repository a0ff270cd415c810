"""What the tests share: checks of pages and notebooks, a browser, a web server."""
