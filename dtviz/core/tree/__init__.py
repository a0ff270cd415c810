"""The decision tree and its methods, and the paths of trees that growth makes.

`Tree` is in ``tree``, and on top of ``arrays``. Its methods are in ``tree`` (answers, changes of
shape), ``on_cube`` (Boolean tests), ``export`` (text, DOT, lists), ``rules`` (rules, SQL) and
``node_sums`` (what needs the examples). Above it, ``growth_path`` holds the trees of every size.
"""
