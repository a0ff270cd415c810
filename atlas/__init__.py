"""The atlas: every Boolean function of up to 4 variables, and every NPN class of 5.

``make atlas`` computes it with the package and checks it; ``python -m atlas --help`` tells how.

Two tables are made, in ``book/atlas/data``, which `numpy.load` reads:

* ``functions.npz``: a row for each of the 65,812 functions of 1, 2, 3 and 4 variables. Where a row
  holds a number for each variable, rows of fewer variables are filled up with zeros;
* ``classes.npz``: a row for each of the 616,126 classes of functions of 5 variables, told of by
  the least code of the class.

Their columns are explained in `atlas.columns`; every number is an exact integer. With ``size`` as
weights, classes stand for all 4,294,967,296 functions of 5 variables.

``dtviz/atlas/atlas.json`` is what the page reads: the columns' meanings, and for each n how the
values are distributed (alone and in pairs), how often each rule grows a smallest tree, the extreme
functions, and the points wrong with s leaves, added up over all functions.
"""
