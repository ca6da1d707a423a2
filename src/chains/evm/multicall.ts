import { balanceCall } from "./questions.ts";

/*
 * The two functions of Multicall3 that balances are read with, encoded and decoded here: viem, which the tests compare this
 * with, takes 20 MB in every process.
 */

/** Multicall3, at the same address on every chain where it was deployed (https://www.multicall3.com). */
export const multicall = "0xcA11bde05977b3631167028862bE2a173976CA11";

/** The first four bytes of the hash of `aggregate3((address,bool,bytes)[])`. */
const aggregateSelector = "0x82ad56cb";
/** The first four bytes of the hash of `getEthBalance(address)`. */
const coinBalanceSelector = "0x4d2301cc";

/** Hex digits of a 32-byte word. */
const wordDigits = 64;
/** Words of one encoded call: target, whether it may fail, where its data is, their length, and 36 bytes of data. */
const callWords = 6;

/** Data of a call of Multicall3 that returns each address's balance of the token, or of the coin (null). */
export function balancesCall(contract: string | null, addresses: readonly string[]): string {
  const target = contract ?? multicall;
  const words = [word(32), word(addresses.length)];
  for (const index of addresses.keys())
    words.push(word(addresses.length * 32 + index * callWords * 32));
  for (const address of addresses) {
    const data = (contract === null ? coinBalanceCall(address) : balanceCall(address)).slice(2);
    words.push(
      addressWord(target),
      word(0),
      word(3 * 32),
      word(data.length / 2),
      data.padEnd(2 * wordDigits, "0"),
    );
  }
  return `${aggregateSelector}${words.join("")}`;
}

/** The balances in that call's result; null if the data are none, for example from another contract at that address. */
export function balancesIn(result: string): readonly bigint[] | null {
  const digits = result.slice(2);
  const list = numberAt(digits, 0);
  const count = list === null ? null : numberAt(digits, list);
  if (list === null || count === null || count > digits.length / wordDigits) return null;
  const start = list + 32;
  const balances: bigint[] = [];
  for (let index = 0; index < count; index += 1) {
    const offset = numberAt(digits, start + index * 32);
    const units = offset === null ? null : balanceAt(digits, start + offset);
    if (units === null) return null;
    balances.push(units);
  }
  return balances;
}

/** The first word that a successful call returned: `(bool success, bytes returnData)` at that byte. */
function balanceAt(digits: string, at: number): bigint | null {
  const offset = numberAt(digits, at + 32);
  if (numberAt(digits, at) !== 1 || offset === null) return null;
  const length = numberAt(digits, at + offset);
  return length === null || length < 32 ? null : wordAt(digits, at + offset + 32);
}

/** The word at that byte as a count or an offset; null beyond the end, or if it is beyond any data. */
function numberAt(digits: string, at: number): number | null {
  const value = wordAt(digits, at);
  return value === null || value > BigInt(digits.length) ? null : Number(value);
}

function wordAt(digits: string, at: number): bigint | null {
  const text = digits.slice(at * 2, at * 2 + wordDigits);
  return text.length === wordDigits ? BigInt(`0x${text}`) : null;
}

function coinBalanceCall(address: string): string {
  return `${coinBalanceSelector}${addressWord(address)}`;
}

function addressWord(address: string): string {
  return address.slice(2).toLowerCase().padStart(wordDigits, "0");
}

function word(value: number): string {
  return value.toString(16).padStart(wordDigits, "0");
}
