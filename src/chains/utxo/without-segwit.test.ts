import { HDKey } from "@scure/bip32";
import { mnemonicToSeedSync } from "@scure/bip39";
import { describe, expect, it } from "vitest";
import { bitcoin } from "../../../test/support/known-chains.ts";
import { client, signal, startNode } from "../../../test/support/scripted-node.ts";
import { money } from "../../platform/kernel/money.ts";
import { accountPath } from "./account-key.ts";
import { createAddressing } from "./addressing.ts";
import { writeBody } from "./draft-body.ts";
import { draftSpend } from "./draft-spend.ts";
import { addressOfScript, hasAddress } from "./output-script.ts";
import type { UtxoChain } from "./utxo-chain.ts";

const seed = mnemonicToSeedSync(
  "abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about",
);

/** A chain as relatives of Bitcoin without segwit are: one type of address, and no replacement. */
function chainOf(coinType: number, keyPrefix: string, scriptPrefix: string): UtxoChain {
  const main = {
    ...bitcoin.networks.main,
    publicKeyHashPrefix: keyPrefix,
    scriptHashPrefixes: [scriptPrefix] as const,
    segwitPrefix: null,
  };
  return {
    ...bitcoin,
    coinType,
    addressTypes: [""],
    defaultAddressType: "",
    dustUnits: { p2pkh: 546n, p2sh: 540n },
    replacement: false,
    networks: { ...bitcoin.networks, main },
  };
}

function addressingOf(chain: UtxoChain) {
  const key = HDKey.fromMasterSeed(seed).derive(accountPath(chain, "main", "")).publicExtendedKey;
  return createAddressing(chain, "main", { "": key });
}

const zcash = chainOf(133, "1cb8", "1cbd");

describe("a chain without segwit", () => {
  /** First addresses of these words, as wallets show them (https://iancoleman.io/bip39/). */
  it.each([
    { chain: chainOf(3, "1e", "16"), address: "DBus3bamQjgJULBJtYXpEzDWQRwF5iwxgC" },
    { chain: chainOf(5, "4c", "10"), address: "XoJA8qE3N2Y3jMLEtZ3vcN42qseZ8LvFf5" },
    { chain: zcash, address: "t1XVXWCvpMgBvUaed4XDqWtgQgJSu1Ghz7F" },
  ])("derives $address twice, of the type without a name", ({ chain, address }) => {
    const addressing = addressingOf(chain);
    const expected = { address, addressType: null, tag: null };
    expect(addressing.depositAt(0, null)).toEqual(expected);
    expect(addressing.rederiveDepositAt(0, null)).toEqual(expected);
    expect(addressing.parse(address, null)).toEqual(expected);
    expect(addressing.types).toMatchObject([{ name: null, isDefault: true }]);
    expect(addressing.watchKey(expected)).toMatch(/^76a914[0-9a-f]{40}88ac$/);
    expect(addressing.changeAt?.(0)).toMatchObject({ addressType: null });
  });

  it("has no segwit addresses, and no address for a witness program", () => {
    const addressing = addressingOf(zcash);
    expect(addressing.parse("bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4", null)).toBeNull();
    const program = `0014${"ab".repeat(20)}`;
    expect(addressOfScript(zcash.networks.main, program)).toBeNull();
    expect(hasAddress(zcash, Buffer.from(program, "hex"), 0, 22)).toBe(false);
    expect(hasAddress(bitcoin, Buffer.from(program, "hex"), 0, 22)).toBe(true);
  });

  it("pays script hashes, although no deposit gets one", () => {
    const script = `a914${"ab".repeat(20)}87`;
    const address = addressOfScript(zcash.networks.main, script)!;
    expect(address).toMatch(/^t3/);
    const parsed = addressingOf(zcash).parse(address, null);
    expect(parsed).toEqual({ address, addressType: null, tag: null });
    expect(addressingOf(zcash).watchKey(parsed!)).toBe(script);
  });

  it("drafts no replacement where nodes accept none", async () => {
    const node = await startNode((_, response) => response.end());
    const payee = addressingOf(zcash).depositAt(7, null);
    const coin = { claim: `${"ab".repeat(32)}:0`, units: 10_000n, branch: 0, keyIndex: 1 } as const;
    const replaced = {
      body: writeBody(
        { coins: [{ ...coin, addressType: "" }], outputs: [], consensus: null },
        new Map(),
      ),
      claims: [coin.claim],
      feeUnits: 1_000n,
      validity: null,
    };
    const outcome = await draftSpend(
      zcash,
      zcash.networks.main,
      client([node]),
      {
        payments: [{ destination: payee, amount: money(9_000n, zcash.currency) }],
        funds: {
          kind: "coins",
          coins: [{ ...coin, addressType: "" }],
          change: { address: payee.address, addressType: "", keyIndex: 7 },
        },
        feeTarget: 2_000n,
        feeCeiling: 5_000n,
        replaces: replaced,
      },
      signal,
    );
    expect(outcome).toEqual({ kind: "impossible", reason: "nodes of BTC replace no transaction" });
  });
});
