"""Formulas in the signs and words of books: what Python and the page must read alike."""

__all__ = ["READ", "REFUSED"]

READ = {
    "¬x0 ∧ x1 ∨ x2": "~x0 & x1 | x2",
    "x0 ∨ x1 ⊕ x2 ∧ ¬x0": "x0 | (x1 ^ (x2 & ~x0))",
    "NOT rain AND wind OR sun": "((not rain) and wind) or sun",
    "Rain Or not Wind aNd Sun": "Rain or ((not Wind) and Sun)",
    "x0 XOR x1 Xor NOT x2": "(x0 ^ x1) ^ ~x2",
    "x0 and x1 xor x2": "(x0 & x1) ^ x2",
    "x0 xor x1 -> x2": "(x0 ^ x1) -> x2",
    "x0 xor (x1 | x2)": "x0 ^ (x1 | x2)",
    "XOR(x0, x1, x2) xor xor (x0, x1)": "(x0 ^ x1 ^ x2) ^ (x0 ^ x1)",
    "majority(x0, ¬x1, x2)": "maj(x0, ~x1, x2)",
    "majority ∧ android ∨ order": "majority & android | order",
    "(x0 or x1) xor x2": "(x0 | x1) ^ x2",
}
"""Texts, and what each means in plainer signs."""

REFUSED = {
    "a or b xor c": ("put parentheses where or and xor follow one another", 7),
    "a XOR b OR c": ("put parentheses where or and xor follow one another", 8),
    "a or b and c Xor d": ("put parentheses where or and xor follow one another", 13),
    "a ∧ b AND c": ("put (... & ...) in parentheses beside and, or, xor, not, == or !=", 6),
    "a xor b & c": ("put (... & ...) in parentheses beside and, or, xor, not, == or !=", 2),
    "a ∧ NOT b": ("put (not ...) in parentheses after ∧", 4),
    "and ∧ b": ("have a variable, 0, 1, ~, not or (", 0),
    "a Or": ("have a variable, 0, 1, ~, not or (", 4),
    "b ∧ XOR": ("have a variable, 0, 1, ~, not or (", 4),
    "a ¬ b": ("have an operator (~ ! & ^ | == != not and or xor -> <->) or )", 2),
    "majority(a, b)": ("give majority an odd number of values, so that no vote is tied, not 2", 0),
    "x0 XOR(x1, x2)": ("have an operator (~ ! & ^ | == != not and or xor -> <->) or )", 9),
}
"""Texts, the rule that each breaks, and the character where it does, counted from 0."""
