"""Editions: the built book laid out as a site that is served, cited and kept.

``python -m editions`` (`make site`) takes the pages that the build of the book wrote and makes of
them a folder for a web server or a stick::

    index.html            leads to the latest edition
    versions.js           which editions there are; every page of every edition reads it
    404.html              what a server shows for a missing page; it searches the latest edition
    2026/                 an edition: once published, its files never change
    latest/               the newest edition at an address that stays
    dtviz-2026.zip        the edition to take along, byte for byte the same whenever it is made
    robots.txt, sitemap.xml

The pages get what the build cannot know: their address, the picture that a link to them shows, and
scripts and styles in files, so that the site can be served with a strict content security policy.

`policy` moves scripts and styles into files and states the headers, `meta` tells machines about a
page, `cards` draws the pictures, `shelf` writes what stands beside the editions, `notebooks` what
Colab opens, `archive` the zip; `layout` puts them together.
"""
