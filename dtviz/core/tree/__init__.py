"""The decision tree and its methods, and the paths of trees that growth makes.

`Tree` is in ``tree``; its shape, and where it sends rows, in ``nodes``. Other methods are in
``on_cube`` (Boolean tests), ``export`` (text, DOT, lists), ``rules`` (rules, SQL) and ``node_sums``
(what its examples say). Above it, ``growth_path`` holds the trees of every size.
"""
