// Truth tables as text: bits, or their number in hex. Nothing here knows a page.

// The table as the number f.code, in hex: of fewer than 2 variables as if of 2, the rest 0.
/** @type {(table: ArrayLike<number>) => string} */
export const hexText = (table) => {
  let text = "";
  for (let at = 0; at < table.length; at += 4) {
    const digit = [0, 1, 2, 3].reduce((sum, k) => sum + ((table[at + k] ?? 0) << k), 0);
    text = digit.toString(16) + text;
  }
  return `0x${text}`;
};

// The table whose number is written in hex: the last digit is for points 0 to 3.
/** @type {(n: number, hex: string) => Uint8Array} */
export const fromHex = (n, hex) => {
  const table = new Uint8Array(2 ** n);
  for (let x = 0, at = hex.length - 1; x < table.length; x += 4, at -= 1) {
    const digit = parseInt(hex[at], 16);
    for (let k = 0; k < 4 && x + k < table.length; k += 1) table[x + k] = (digit >> k) & 1;
  }
  return table;
};

// Bits as long as they can be counted, else hex.
/** @type {(table: ArrayLike<number>) => string} */
export const tableText = (table) => (table.length <= 16 ? Array.from(table).join("") : hexText(table));
