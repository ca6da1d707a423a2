import { wordlist } from "@scure/bip39/wordlists/english.js";
import { present } from "../../platform/kernel/assert.ts";
import { hashOf } from "./address.ts";

const wordBits = 11;
const wordMask = 0x7ff;

/** A key as 25 words: 24 of 11 bits each, the lowest first, and one that checks them. */
export function mnemonicOf(seed: Uint8Array): string {
  const numbers = [...numbersIn(seed), ...numbersIn(hashOf("", seed).slice(0, 2)).slice(0, 1)];
  return numbers.map((number) => present(wordlist[number], "a word")).join(" ");
}

function numbersIn(bytes: Uint8Array): readonly number[] {
  const numbers: number[] = [];
  let held = 0;
  let bits = 0;
  for (const byte of bytes) {
    held |= byte << bits;
    bits += 8;
    if (bits < wordBits) continue;
    numbers.push(held & wordMask);
    held >>= wordBits;
    bits -= wordBits;
  }
  return bits === 0 ? numbers : [...numbers, held & wordMask];
}
