// Numbers that look random, the same in Python. Nothing here knows a page.

// A number from 0 to 2^32 - 1 for each place of a sequence, without memory (Wellons' lowbias32).
/** @type {(place: number) => number} */
export const scrambled = (place) => {
  let x = place;
  x = Math.imul(x ^ (x >>> 16), 0x7feb352d);
  x = Math.imul(x ^ (x >>> 15), 0x846ca68b);
  return (x ^ (x >>> 16)) >>> 0;
};
