import { createHash, pbkdf2Sync } from "node:crypto";
import { wordlist } from "@scure/bip39/wordlists/english.js";
import { present } from "../../platform/kernel/assert.ts";

const bitsPerWord = 11;
const space = 0x20;

/**
 * The 64 bytes of a seed from its entropy (BIP-39, English words, no passphrase), which the caller overwrites when done. The
 * words never become a string here, since strings cannot be overwritten.
 */
export function seedOfEntropy(entropy: Uint8Array): Uint8Array {
  const words = wordsInBytes(entropy);
  const seed = pbkdf2Sync(words, "mnemonic", 2048, 64, "sha512");
  words.fill(0);
  return seed;
}

/** The words, separated by spaces. */
function wordsInBytes(entropy: Uint8Array): Uint8Array {
  const checksum = createHash("sha256").update(entropy).digest();
  const checked = Buffer.concat([entropy, checksum]);
  const count = ((entropy.length * 8) / 32) * 3;
  const words = new Uint8Array(count * 9);
  let length = 0;
  for (let word = 0; word < count; word += 1) {
    if (word > 0) {
      words[length] = space;
      length += 1;
    }
    const text = present(wordlist[wordNumber(checked, word)], "a word of the list");
    for (let at = 0; at < text.length; at += 1, length += 1) words[length] = text.charCodeAt(at);
  }
  checked.fill(0);
  const exact = words.slice(0, length);
  words.fill(0);
  return exact;
}

/** Each 11 bits select a word. */
function wordNumber(checked: Uint8Array, word: number): number {
  let number = 0;
  for (let bit = word * bitsPerWord; bit < (word + 1) * bitsPerWord; bit += 1) {
    const byte = present(checked[bit >> 3], "a byte of the entropy");
    number = (number << 1) | ((byte >> (7 - (bit & 7))) & 1);
  }
  return number;
}
