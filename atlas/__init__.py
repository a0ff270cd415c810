"""The atlas: every Boolean function of up to 4 variables, and every NPN class of 5.

``make atlas`` computes it with the package, checks it and writes three files:

* ``book/atlas/data/functions.npz``: a row for each of the 65,812 functions of 1, 2, 3 and 4
  variables. Influences of fewer than 4 variables are filled up with zeros;
* ``book/atlas/data/classes.npz``: a row for each of the 616,126 classes of functions of 5
  variables, represented by the least code of the class;
* ``dtviz/atlas/atlas.json``: what the page reads. It has the columns' meanings, and for each n how
  pairs of values are distributed, how often each rule grows a smallest tree, and the extremes.

The columns are listed in `atlas.tables`; every number is an exact integer. With ``size`` as
weights, classes stand for all 4,294,967,296 functions of 5 variables.
"""
