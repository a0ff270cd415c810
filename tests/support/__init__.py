"""What the tests of the built book share: checks of pages and notebooks, a browser, a web server."""
