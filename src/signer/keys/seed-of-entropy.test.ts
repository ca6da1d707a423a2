/** Shows that seeds are those of BIP-39, by the library that the keystore's words come from. Vectors: account-paths.test.ts. */
import { entropyToMnemonic, mnemonicToSeedSync } from "@scure/bip39";
import { wordlist } from "@scure/bip39/wordlists/english.js";
import { expect, test } from "vitest";
import { fc } from "../../../test/support/property.ts";
import { seedOfEntropy } from "./seed-of-entropy.ts";

test("any entropy gives the seed of its words", () => {
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
