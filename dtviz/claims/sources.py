"""The sources whose claims the book checks, with their keys in ``book/references.bib``."""

from __future__ import annotations

from dtviz.claims.registry import Source

__all__ = ["BLT", "CU", "EH", "MN", "OURS", "PS"]

BLT = Source(
    "BLT",
    "Blanc, Lange and Tan, Top-down induction of decision trees: rigorous guarantees and inherent "
    "limitations, ITCS 2020, arXiv:1911.07375",
    "BlancLangeTan2020",
)
OURS = Source("this book", "Proved in this book")
EH = Source(
    "EH",
    "Ehrenfeucht and Haussler, Learning decision trees from random examples, Information and "
    "Computation 82 (1989) 231-246",
    "EhrenfeuchtHaussler1989",
)
PS = Source(
    "PS",
    "Soltani Moakhar, Ghahremani, Banihashem and Hajiaghayi, Decision tree learning on product "
    "spaces, ICML 2026, arXiv:2605.12983 (its abstract, and notes about it)",
    "SoltaniMoakharEtAl2026",
)
MN = Source(
    "MN",
    "Mansour, Decision trees: building and pruning, lecture 12 of a course on machine learning, "
    "after Kearns and Mansour (1998, 1999)",
    "MansourLecture12",
)
CU = Source(
    "CU",
    "Weinberger, Decision trees, lecture notes of CS 4/5780, Introduction to machine learning, "
    "Cornell University",
    "WeinbergerCS4780",
)
