// Biases as a reader types them. Nothing here knows a page.

// A decimal number or a fraction.
const NUMBER = /^(?:(\d{0,18}\.?\d{0,18})|(\d{1,15})\/(\d{1,15}))$/;
const LONGEST = 200;

/** @type {(word: string) => number} */
const valueOf = (word) => {
  const found = NUMBER.exec(word);
  if (!found || !/\d/.test(word)) return NaN;
  return found[2] === undefined ? Number(found[1]) : Number(found[2]) / Number(found[3]);
};

// "0.3" for all, or n numbers, such as "0.05 0.5 1/2": the biases, or what is wrong.
/** @type {(text: string, n: number) => { biases: number[], wrong: string }} */
export const readBiases = (text, n) => {
  /** @param {string} wrong */
  const refused = (wrong) => ({ biases: [], wrong });
  if (text.length > LONGEST) return refused(`at most ${LONGEST} characters, got ${text.length}`);
  const words = text.split(/[\s,;()[\]]+/).filter(Boolean);
  for (const word of words) {
    const p = valueOf(word);
    // Written so that NaN is refused, too.
    if (!(p > 0 && p < 1)) return refused(`each must be a number between 0 and 1, got ${word.slice(0, 20)}`);
  }
  if (words.length !== 1 && words.length !== n) {
    return refused(`one number for all or ${n}, got ${words.length}`);
  }
  return { biases: words.map(valueOf), wrong: "" };
};
