import {
  Bip32PrivateKey,
  Credential,
  EnterpriseAddress,
} from "@emurgo/cardano-serialization-lib-nodejs";
import { mnemonicToEntropy } from "@scure/bip39";
import { wordlist } from "@scure/bip39/wordlists/english.js";
import { describe, expect, it } from "vitest";
import vectors from "../../../test/vectors/cardano-keys.json" with { type: "json" };
import { present } from "../../platform/kernel/assert.ts";
import type { KeyTree } from "../../signer/keys/account-paths.ts";
import { deriveKeys } from "../../signer/keys/derive-keys.ts";
import { createCardanoAddressing } from "./addressing.ts";

/*
 * Shows that both derivations from the account's public key find the addresses of the published vectors, and those that Emurgo's
 * library derives from the private key.
 */

const tree: KeyTree = {
  keyspace: "ADA",
  coinType: 1815,
  isSharedByNetworks: false,
  addressTypes: [""],
  curve: "bip32-ed25519",
};

const networks = {
  main: { kind: "main", magic: 764824073 },
  test: { kind: "test", magic: 1 },
} as const;

function accountOf(words: string, network: "main" | "test") {
  const [account] = deriveKeys(mnemonicToEntropy(words, wordlist), network, [tree]).accounts;
  const key = present(account, "the account of the tree");
  if (!("xpub" in key)) throw new Error("an account has an extended public key");
  return key;
}

describe("the addresses of an account", () => {
  it.each(vectors.enterprise)("are those of the wallets with the words %s", (words, main) => {
    const { path, xpub } = accountOf(words, "main");
    expect(path).toBe("m/1852'/1815'/0'");
    const addressing = createCardanoAddressing(networks.main, xpub);
    expect(addressing.depositAt(0, null).address).toBe(main);
    expect(addressing.rederiveDepositAt(0, null).address).toBe(main);
  });

  it("are derived from public keys as from private ones, by role and index", () => {
    const words = vectors.enterprise[2]![0]!;
    for (const name of ["main", "test"] as const) {
      const { path, xpub } = accountOf(words, name);
      const addressing = createCardanoAddressing(networks[name], xpub);
      const steps = path
        .split("/")
        .slice(1)
        .map((step) => Number(step.slice(0, -1)) + 2 ** 31);
      const account = steps.reduce(
        (key, step) => key.derive(step),
        Bip32PrivateKey.from_bip39_entropy(
          Buffer.from(mnemonicToEntropy(words, wordlist)),
          new Uint8Array(),
        ),
      );
      const theirs = (role: number, index: number) => {
        const hash = account.derive(role).derive(index).to_public().to_raw_key().hash();
        return EnterpriseAddress.new(name === "main" ? 1 : 0, Credential.from_keyhash(hash))
          .to_address()
          .to_bech32();
      };
      for (const index of [0, 1, 2, 77, 2 ** 31 - 1]) {
        expect(addressing.depositAt(index, null).address).toBe(theirs(0, index));
        expect(addressing.rederiveDepositAt(index, null).address).toBe(theirs(0, index));
        expect(addressing.changeAt?.(index).address).toBe(theirs(1, index));
      }
    }
  });

  it("refuses what is no account's extended public key", () => {
    for (const text of [
      "xpub661MyMwAqRbcFtXgS5sYJABqqG9YLmC4Q1Rdap9gSE8NqtwybGhePY2gZ29ESFjqJ",
      "",
    ])
      expect(() => createCardanoAddressing(networks.main, text)).toThrow();
  });
});
