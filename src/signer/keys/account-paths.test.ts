import { mnemonicToEntropy } from "@scure/bip39";
import { wordlist } from "@scure/bip39/wordlists/english.js";
import { StrKey } from "@stellar/stellar-sdk";
import { describe, expect, it } from "vitest";
import {
  accountXpub,
  bitcoin,
  knownKeyTrees,
  litecoin,
} from "../../../test/support/known-chains.ts";
import { createEvmAddressing } from "../../chains/evm/addressing.ts";
import { accountPath } from "../../chains/utxo/account-key.ts";
import { createAddressing } from "../../chains/utxo/addressing.ts";
import type { AddressTypeName } from "../../currencies/utxo-facts.ts";
import { accountPaths } from "./account-paths.ts";
import { deriveKeys } from "./derive-keys.ts";

/** The mnemonic of the test vectors in BIP-84 and BIP-86. */
const bipWords =
  "abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about";

const keysOf = (network: "main" | "test") =>
  deriveKeys(mnemonicToEntropy(bipWords, wordlist), network, knownKeyTrees).accounts;

const xpub = (network: "main" | "test", keyspace: string, addressType: string): string =>
  accountXpub(keysOf(network), keyspace, addressType);

describe("the account paths", () => {
  it("are those of the UTXO chains' addressing", () => {
    const types: readonly AddressTypeName[] = ["legacy", "p2sh-segwit", "bech32", "bech32m"];
    for (const [keysNetwork, network] of [
      ["main", "main"],
      ["test", "regtest"],
    ] as const) {
      for (const chain of [bitcoin, litecoin]) {
        const paths = accountPaths(keysNetwork, knownKeyTrees)
          .filter(({ keyspace }) => keyspace === chain.chain)
          .map(({ addressType, path }) => [addressType, path]);
        expect(paths).toEqual(types.map((type) => [type, accountPath(chain, network, type)]));
      }
    }
  });

  it("never change, since existing keystores hold funds there", () => {
    const known = (network: "main" | "test") =>
      accountPaths(network, knownKeyTrees)
        .filter(({ keyspace }) => ["evm", "BTC", "LTC"].includes(keyspace))
        .map(({ keyspace, addressType, path }) => `${keyspace} ${addressType} ${path}`)
        .sort();
    expect(known("main")).toEqual([
      "BTC bech32 m/84'/0'/0'",
      "BTC bech32m m/86'/0'/0'",
      "BTC legacy m/44'/0'/0'",
      "BTC p2sh-segwit m/49'/0'/0'",
      "LTC bech32 m/84'/2'/0'",
      "LTC bech32m m/86'/2'/0'",
      "LTC legacy m/44'/2'/0'",
      "LTC p2sh-segwit m/49'/2'/0'",
      "evm  m/44'/60'/0'",
      "evm gas m/44'/60'/2'",
      "evm hot m/44'/60'/1'",
    ]);
    expect(known("test")).toEqual([
      "BTC bech32 m/84'/1'/0'",
      "BTC bech32m m/86'/1'/0'",
      "BTC legacy m/44'/1'/0'",
      "BTC p2sh-segwit m/49'/1'/0'",
      "LTC bech32 m/84'/1'/2'",
      "LTC bech32m m/86'/1'/2'",
      "LTC legacy m/44'/1'/2'",
      "LTC p2sh-segwit m/49'/1'/2'",
      "evm  m/44'/60'/0'",
      "evm gas m/44'/60'/2'",
      "evm hot m/44'/60'/1'",
    ]);
  });

  /* The second account of test 1 of SEP-5 (Stellar). */
  it("lead to the Ed25519 account that wallets show, and to no key of a deposit address", () => {
    const words = "illness spike retreat truth genius clock brain pass fit cave bargain toe";
    const { accounts } = deriveKeys(mnemonicToEntropy(words, wordlist), "main", [
      {
        keyspace: "XLM",
        coinType: 148,
        isSharedByNetworks: false,
        addressTypes: ["", "hot"],
        curve: "ed25519",
      },
    ]);
    const publicKey = StrKey.decodeEd25519PublicKey(
      "GBAW5XGWORWVFE2XTJYDTLDHXTY2Q2MO73HYCGB3XMFMQ562Q2W2GJQX",
    );
    expect(accounts).toEqual([
      {
        keyspace: "XLM",
        addressType: "hot",
        path: "m/44'/148'/1'",
        publicKey: Buffer.from(publicKey).toString("hex"),
      },
    ]);
  });

  it("are different for all accounts of a network", () => {
    for (const network of ["main", "test"] as const) {
      const paths = accountPaths(network, knownKeyTrees).map(({ path }) => path);
      expect(new Set(paths).size).toBe(paths.length);
    }
  });

  it("give the first addresses of the vectors of BIP-49, BIP-84 and BIP-86, and of common wallets", () => {
    const addressing = createAddressing(bitcoin, "main", {
      legacy: xpub("main", "BTC", "legacy"),
      bech32: xpub("main", "BTC", "bech32"),
      bech32m: xpub("main", "BTC", "bech32m"),
    });
    expect(addressing.depositAt(0, "legacy").address).toBe("1LqBGSKuX5yYUonjxT5qGfpUsXKYYWeabA");
    expect(addressing.depositAt(0, "bech32").address).toBe(
      "bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu",
    );
    expect(addressing.depositAt(0, "bech32m").address).toBe(
      "bc1p5cyxnuxmeuwuvkwfem96lqzszd02n6xdcjrs20cac6yqjjwudpxqkedrcr",
    );
    const test = createAddressing(bitcoin, "test", {
      "p2sh-segwit": xpub("test", "BTC", "p2sh-segwit"),
    });
    expect(test.depositAt(0, "p2sh-segwit").address).toBe("2Mww8dCYPUpKHofjgcXcBCEGmniw9CoaiD2");
    const evm = createEvmAddressing(xpub("main", "evm", ""), []);
    expect(evm.depositAt(0, null).address).toBe("0x9858EfFD232B4033E47d90003D41EC34EcaEda94");
  });

  it("derive no key of a test network on the main one", () => {
    expect(() =>
      createAddressing(bitcoin, "main", { bech32: xpub("test", "BTC", "bech32") }),
    ).toThrow(/test network/);
    expect(xpub("test", "LTC", "bech32")).toMatch(/^tpub/);
    expect(xpub("main", "LTC", "bech32")).toMatch(/^xpub/);
  });

  it("derive public keys only, and overwrite the entropy", () => {
    const entropy = mnemonicToEntropy(bipWords, wordlist);
    const { accounts } = deriveKeys(entropy, "main", knownKeyTrees);
    expect(entropy.every((byte) => byte === 0)).toBe(true);
    for (const account of accounts) {
      if ("xpub" in account) expect(account.xpub).toMatch(/^(?:xpub|acct_xvk1)/);
      else if ("publicKey" in account) expect(account.publicKey).toMatch(/^[0-9a-f]{64}$/);
      else expect(account.spendKey).toMatch(/^[0-9a-f]{64}$/);
    }
  });
});
