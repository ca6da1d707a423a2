/** Compared with the library that makes the keystore's words. Vectors: account-paths.test.ts. */
import { entropyToMnemonic, mnemonicToSeedSync } from "@scure/bip39";
import { wordlist } from "@scure/bip39/wordlists/english.js";
import { describe, expect, it } from "vitest";
import { fc } from "../../../test/support/property.ts";
import { seedOfEntropy } from "./seed-of-entropy.ts";

describe("seedOfEntropy", () => {
  it("derives the seed of the words of any entropy", () => {
    const entropies = fc
      .constantFrom(16, 20, 24, 28, 32)
      .chain((length) => fc.uint8Array({ minLength: length, maxLength: length }));
    fc.assert(
      fc.property(entropies, (entropy) => {
        const before = Uint8Array.from(entropy);
        const expected = mnemonicToSeedSync(entropyToMnemonic(entropy, wordlist));
        expect(Buffer.from(seedOfEntropy(entropy)).equals(expected)).toBe(true);
        expect(entropy).toEqual(before);
      }),
      { numRuns: 40 },
    );
  });
});
