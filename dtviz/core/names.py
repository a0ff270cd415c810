"""What the tests of a tree say: names of features, bits, and what codes stand for."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any

from dtviz.core.checks import as_list, as_repr, check_differ

MOST_LISTED = 3
"""A test on codes lists so many categories; beyond, it counts the others, or names the last."""

MOST_NAMES = 10**7
"""The most names that are read."""

SHORT = 12
"""A number of so many digits is written in full: data are measured in fewer."""


def decimal(value: float, digits: int = 6, short: int = SHORT) -> str:
    """Write a number in full if that is short or it counts halves, else in so many digits.

    No digit before the point is lost. In full is short if it takes at most ``short`` digits.

    >>> from dtviz.core.names import decimal
    >>> decimal(250001.5, 4), decimal(0.1 + 0.2, 4), decimal(2 / 3, 4)
    ('250001.5', '0.3', '0.6667')
    >>> decimal(24.80625, 4), decimal(24.80625, 4, 4), decimal(12345.67, 4, 4)
    ('24.80625', '24.81', '12346')
    """
    full = float(f"{value:.{max(digits, short)}g}")
    if (2 * value).is_integer():
        full = value
    # what came of sums in binary differs from it in the last digits alone
    elif full != float(f"{value:.15g}"):
        before = len(f"{abs(value):.0f}")
        return f"{value:.{max(digits, before) if before <= SHORT else digits}g}"
    return repr(full).removesuffix(".0")


def count_leaves(n_leaves: int) -> str:
    """Write a number of leaves with its noun."""
    return "1 leaf" if n_leaves == 1 else f"{n_leaves:,} leaves"


def decimals(value: float) -> str:
    """Write a number in three decimals, a half up, as explorers do."""
    return f"{value + 1e-12:.3f}"


def percent(share: float, digits: int = 1) -> str:
    """Write a share in percent: with more digits if it would be 0% or 100% and is not.

    >>> from dtviz.core.names import percent
    >>> percent(2 / 3), percent(1.0, 0), percent(99_982 / 99_986, 0), percent(14 / 1e6)
    ('66.7%', '100%', '99.996%', '0.001%')
    """
    text = f"{share:.{digits}%}"
    while 0 < share < 1 and float(text[:-1]) in (0, 100):
        digits += 1
        text = f"{share:.{digits}%}"
    return text


_AMBIGUOUS = re.compile(r"""[,{}"']|^missing$| or missing$| and \d+ more$""")
"""A category with one of these could be read as several, or as words of the test."""

_JOINERS = "\u200c\u200d"
"""They cannot be seen, but make what is beside them: an emoji, the letters of a script."""


def in_line(name: str) -> str:
    r"""Write a name on one line, in quotation marks if it would not be seen as it is.

    That is one which is blank, begins or ends with a blank, or has line breaks, tabs or other signs
    without a shape of their own.

    >>> from dtviz.core.names import in_line
    >>> print(in_line("age $"), in_line("two\nlines"), in_line(""))
    age $ 'two\nlines' ''
    """
    seen = name.isprintable() or all(
        sign.isprintable() or sign in _JOINERS or unicodedata.category(sign) == "Zs"
        for sign in name
    )
    return name if seen and name == name.strip() != "" else repr(name)


def _as_said(category: str) -> str:
    """A category as a test names it: in quotation marks if it could be read as something else."""
    return repr(category) if _AMBIGUOUS.search(category) else in_line(category)


@dataclass(frozen=True)
class Names:
    """How the features of a tree are called, and of what kind they are.

    Attributes
    ----------
    features : tuple of str, or None
        A name for each of ``x_0, x_1, ...``; None calls them ``x0, x1, ...``.
    bits : frozenset of int, or None
        The features that are 0 or 1 only: a test of one shows its name alone, and its branches are
        0 and 1. None: those tested at 1/2.
    categories : mapping from int to tuple of str
        Of a feature coded 0, 1, 2, ..., what the codes stand for.
    labels : tuple, or None
        The classes of the examples that a tree was grown on; some may label none of its leaves.
    class_names : tuple of str, or None
        What text and pictures call the ``labels``, in their order; None calls them as they are.
    missing : frozenset of int
        The features of which values were missing where the tree was grown: their tests tell which
        way those go.
    """

    features: tuple[str, ...] | None = None
    bits: frozenset[int] | None = None
    categories: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    labels: tuple[Any, ...] | None = None
    missing: frozenset[int] = frozenset()
    class_names: tuple[str, ...] | None = None

    def __post_init__(self) -> None:
        if self.features is not None:
            texts = _as_list(self.features)
            if not texts or not all(isinstance(text, str) for text in texts):
                msg = f"features must be a sequence of strings, got {as_repr(self.features)}"
                raise ValueError(msg)
            check_differ("feature_names", texts)
            object.__setattr__(self, "features", tuple(texts))
        if self.bits is not None:
            object.__setattr__(self, "bits", frozenset(self.bits))
        object.__setattr__(self, "missing", frozenset(self.missing))
        object.__setattr__(self, "categories", MappingProxyType(dict(self.categories)))

    def __reduce__(self) -> tuple[Any, ...]:
        return Names, (
            self.features, self.bits, dict(self.categories), self.labels, self.missing,
            self.class_names,
        )  # fmt: skip

    def __hash__(self) -> int:
        kinds = tuple(sorted(self.categories.items()))
        classes = self.labels, self.class_names
        return hash((self.features, self.bits, kinds, classes, self.missing))

    def to_dict(self) -> dict[str, Any]:
        """The names as lists, fit for JSON, whose keys are text; `from_dict` reads them back."""
        data = {
            "features": None if self.features is None else list(self.features),
            "bits": None if self.bits is None else sorted(self.bits),
            "categories": {str(i): list(kinds) for i, kinds in self.categories.items()},
            "labels": None if self.labels is None else list(self.labels),
            "missing": sorted(self.missing),
        }
        return data if self.class_names is None else {**data, "class_names": [*self.class_names]}

    @classmethod
    def from_dict(cls, data: Any) -> Names:
        """Read what `to_dict` wrote."""
        keys = "features, bits, categories, labels, missing"
        rule = f"names must be a dict with {keys} as to_dict makes it"
        if not isinstance(data, Mapping) or {*data, "class_names"} != {*vars(cls())}:
            msg = f"{rule}, got {as_repr(data)}"
            raise ValueError(msg)
        features, bits, categories = data["features"], data["bits"], data["categories"]
        labels, missing = data["labels"], data["missing"]
        lists = [[] if part is None else part for part in (features, bits, labels)]
        kinds = categories.values() if isinstance(categories, Mapping) else [None]
        parts = (*lists, missing, *kinds)
        if not all(isinstance(part, (list, tuple)) for part in parts) or not all(
            str(i).isdecimal() for i in (*lists[1], *missing, *categories)
        ):
            msg = f"{rule}, got {as_repr(data)}"
            raise ValueError(msg)
        codes = {int(i): tuple(map(str, kinds)) for i, kinds in categories.items()}
        known = None if labels is None else tuple(labels)
        ones = None if bits is None else frozenset(bits)
        names = cls(features, ones, codes, known, frozenset(missing))
        return names.with_classes(data.get("class_names"))

    def rename_features(self, features: Iterable[str]) -> Names:
        """The same with other names of the features."""
        return replace(self, features=tuple(features))

    def with_classes(self, class_names: Any) -> Names:
        """The same with names of the classes, which None leaves as they are; without, if it is ().

        A ValueError if there is not another name for each class: a sequence in the order of
        ``labels``, or a mapping from labels to names.
        """
        if class_names is None:
            return self
        labels = self.labels
        if labels is None:
            msg = f"class_names must be None, there are no classes, got {as_repr(class_names)}"
            raise ValueError(msg)
        classes = ", ".join(map(repr, labels))
        rule = f"a sequence of a name for each of the classes {classes}, or a mapping"
        if isinstance(class_names, Mapping):
            names: list[Any] = [class_names.get(label) for label in labels]
        else:
            names = as_list("class_names", class_names, rule, MOST_NAMES)
        if not names:
            return replace(self, class_names=None)
        if len(names) != len(labels) or not all(isinstance(name, str) for name in names):
            msg = f"class_names must be {rule}, got {as_repr(class_names)}"
            raise ValueError(msg)
        check_differ("class_names", names)
        return replace(self, class_names=tuple(map(str, names)))

    def call_label(self, label: Any) -> Any:
        """What a label is called, the label itself where its class has no name."""
        if self.class_names is None or self.labels is None or label not in self.labels:
            return label
        return self.class_names[self.labels.index(label)]

    def is_bit(self, feature: int, threshold: float) -> bool:
        """Whether the test at the threshold separates 0 from 1, there being nothing else."""
        return threshold == 0.5 if self.bits is None else feature in self.bits

    def feature(self, feature: int) -> str:
        """The name of a feature."""
        return f"x{feature}" if self.features is None else self.features[feature]

    def condition(
        self,
        feature: int,
        threshold: float,
        at_most: str = "<=",
        write: Callable[[float], str] = decimal,
        listed: int | None = MOST_LISTED,
    ) -> str:
        """What holds on the low branch, after the name: "" for a bit, else `` <= 3.5`` or so.

        Of categories so many are ``listed``; None lists all.
        """
        if self.is_bit(feature, threshold):
            return ""
        if math.isinf(threshold):
            return " is missing" if threshold < 0 else " is not missing"
        if feature not in self.categories:
            return f" {at_most} {write(threshold)}"
        kinds = self.categories[feature]
        n_low = min(max(math.floor(threshold) + 1, 1), len(kinds))
        if listed is not None and listed < n_low < len(kinds) - listed:
            return f" in {{{_as_said(kinds[0])}, .., {_as_said(kinds[n_low - 1])}}}"
        return self.membership(feature, range(n_low), listed)

    def membership(
        self, feature: int, codes: Iterable[int], listed: int | None = MOST_LISTED
    ) -> str:
        """What holds on the low branch of a test for a set of codes, or what not, if shorter."""
        kinds = self.categories.get(feature)
        inside = set(codes)
        low = sorted(inside)
        high = [] if kinds is None else [k for k in range(len(kinds)) if k not in inside]
        said, words = low, ("=", "in")
        if 0 < len(high) < len(low):
            said, words = high, ("is not", "not in")
        if not said:
            return " is missing"
        texts = [str(k) if kinds is None else _as_said(kinds[k]) for k in said]
        if len(texts) == 1:
            return f" {words[0]} {texts[0]}"
        some = texts[:listed]
        more = f" and {len(texts) - len(some)} more" if len(texts) > len(some) else ""
        return f" {words[1]} {{{', '.join(some)}{more}}}"

    def branches(self, feature: int, threshold: float) -> tuple[str, str]:
        """What the low and the high branch of a test are called."""
        return ("0", "1") if self.is_bit(feature, threshold) else ("yes", "no")


def _as_list(names: Any) -> list[Any]:
    """The names as a list, empty if they are none: a text is one name, not many."""
    return list(names) if isinstance(names, Iterable) and not isinstance(names, str) else []
