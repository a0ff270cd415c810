// Numbers that Python has, too: a test holds those of both sides together.

// Weighted scores this close in proportion are tied.
export const SCORE_TIE = 1e-09;

// Drops of a cost that is no sum of integers tie this close.
export const DROP_TIE = 1e-12;

// Sums are trusted this far, in proportion.
export const ROUNDING = 1e-12;

// Prices of a leaf closer than this are one.
export const SAME_PRICE = 1e-12;

// The grid of the sliders of epsilon.
export const EPSILON_STEP = 0.005;

// The grid of the sliders of biases and other shares.
export const SHARE_STEP = 0.01;

// The most variables of a function typed or drawn.
export const MOST_VARIABLES = 6;

// The most characters of a function typed.
export const MOST_CHARACTERS = 4000;
