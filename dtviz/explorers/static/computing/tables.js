// Truth tables as text: bits, or their number in hex. Nothing here knows a page.

// The table as the number f.code, in hex: of fewer than 2 variables as if of 2, the rest 0.
/** @type {(table: ArrayLike<number>) => string} */
export const hexText = (table) =>
  `0x${BigInt(`0b${Array.from(table).reverse().join("")}`).toString(16).padStart(table.length / 4, "0")}`;

// The table whose number is written in hex: the last digit is for points 0 to 3.
/** @type {(n: number, hex: string) => Uint8Array} */
export const fromHex = (n, hex) =>
  Uint8Array.from(BigInt(`0x${hex.replace("0x", "")}`).toString(2).padStart(2 ** n, "0"), Number).reverse();

// Bits as long as they can be counted, else hex.
/** @type {(table: ArrayLike<number>) => string} */
export const tableText = (table) => (table.length <= 16 ? Array.from(table).join("") : hexText(table));
