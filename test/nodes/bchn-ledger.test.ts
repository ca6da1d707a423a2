import { hexToBin } from "@bitauth/libauth";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { present } from "../../src/platform/kernel/assert.ts";
import { bchn } from "../../src/sandbox/bchn/bchn.ts";
import {
  createLibauthWallet,
  type LibauthCoin,
  type LibauthWallet,
} from "../support/libauth-payer.ts";
import { type PrivateUtxoLedger, startPrivateLedger } from "../support/private-utxo-ledger.ts";

type Transaction = {
  readonly txid: string;
  readonly vin: readonly { readonly txid: string; readonly vout: number }[];
  readonly vout: readonly {
    readonly value: number;
    readonly scriptPubKey: { readonly hex: string; readonly addresses: readonly string[] };
  }[];
};

describe("the simulated Bitcoin Cash Node", () => {
  /* libauth, as published, builds and signs the payments; codes and texts are those of BCHN 28's source. */

  let node: PrivateUtxoLedger;
  let wallet: LibauthWallet;
  let script: string;

  beforeAll(async () => {
    node = await startPrivateLedger(bchn);
    wallet = createLibauthWallet();
    script = bchn.rules.scriptOfAddress(wallet.address) ?? "";
  });
  afterAll(() => node.stop());

  const fund = async (coins: string, to = wallet): Promise<LibauthCoin> => {
    const txid = await node.call<string>("sendtoaddress", to.address, coins);
    const { vout } = await node.call<Transaction>("getrawtransaction", txid, true);
    const at = vout.findIndex(({ scriptPubKey }) => scriptPubKey.addresses.includes(to.address));
    return { txid, vout: at, units: BigInt(Math.round(Number(coins) * 1e8)) };
  };
  const send = (raw: string): Promise<string> => node.call("sendrawtransaction", raw);
  const refusalOf = async (raw: string): Promise<string> => {
    const error = await send(raw).then(
      () => null,
      (reason: unknown) => reason as { readonly code: number; readonly message: string },
    );
    return error === null ? "accepted" : `${error.code} ${error.message}`;
  };

  it("takes a payment that libauth signed, and shows it as the node does", async () => {
    const coin = await fund("1");
    const to = await node.call<string>("getnewaddress");
    const target = bchn.rules.scriptOfAddress(to) ?? "";
    const raw = wallet.spend([coin], [{ script: target, units: coin.units - 500n }]);
    const txid = await send(raw);
    expect(await node.call("getmempoolentry", txid)).toMatchObject({
      fees: { base: 0.000005, modified: 0.000005 },
      depends: [coin.txid],
      spentby: [],
    });
    await node.mine();
    expect(await node.call("getreceivedbyaddress", to)).toBe(0.999995);
    expect(await node.call("getrawtransaction", txid, 2)).toMatchObject({
      txid,
      confirmations: 1,
      fee: 0.000005,
      vin: [{ txid: coin.txid, value: 1, scriptPubKey: { address: wallet.address } }],
      vout: [{ value: 0.999995, scriptPubKey: { type: "pubkeyhash", addresses: [to] } }],
    });
    expect(await node.call("getrawtransaction", txid)).toBe(raw);
    expect(await node.call("gettxout", txid, 0)).toMatchObject({
      confirmations: 1,
      coinbase: false,
    });
    expect(await node.call("gettxout", coin.txid, coin.vout)).toBeNull();
  });

  it("refuses a signature for another amount, another output or without the fork's id", async () => {
    const coin = await fund("1");
    const pays = [{ script, units: 99_990_000n }];
    const lie = wallet.spend([{ ...coin, units: coin.units + 1n }], pays);
    expect(await refusalOf(lie)).toMatch(
      /^-26 mandatory-script-verify-flag-failed .* \(code 16\)$/,
    );
    const signed = wallet.spend([coin], pays);
    const changed = signed.replace("f0b9f505", "f1b9f505");
    expect(changed).not.toBe(signed);
    expect(await refusalOf(changed)).toMatch(/^-26 mandatory-script-verify-flag-failed/);
    // The signature's type byte, SIGHASH_ALL with the fork's id and without it.
    const withoutForkId = signed.replace(/4121([0-9a-f]{66})ffffffff/, "0121$1ffffffff");
    expect(withoutForkId).not.toBe(signed);
    expect(await refusalOf(withoutForkId)).toMatch(/^-26 mandatory-script-verify-flag-failed/);
    expect(await send(signed)).toMatch(/^[0-9a-f]{64}$/);
  });

  it("refuses what BCHN refuses, with its codes and texts", async () => {
    const coin = await fund("1");
    const pay = (units: bigint, more = {}): string =>
      wallet.spend([coin], [{ script, units }], more);
    expect(await refusalOf("00")).toBe("-22 TX decode failed");
    expect(await refusalOf(pay(coin.units))).toBe("-26 min relay fee not met (code 66)");
    expect(await refusalOf(pay(coin.units + 1n))).toBe("-26 bad-txns-in-belowout (code 16)");
    expect(await refusalOf(pay(545n))).toBe("-26 dust (code 64)");
    expect(await refusalOf(pay(50_000_000n))).toBe(
      "-26 absurdly-high-fee, 50000000 > 10000000 (code 256)",
    );
    expect(await refusalOf(pay(99_999_000n, { version: 3 }))).toBe("-26 version (code 64)");
    expect(await refusalOf(pay(99_999_000n, { sequence: 10 }))).toBe(
      "-26 non-BIP68-final (code 64)",
    );
    const nothing = { ...coin, txid: "11".repeat(32) };
    expect(await refusalOf(wallet.spend([nothing], [{ script, units: 5000n }]))).toBe(
      "-25 Missing inputs",
    );
    const first = pay(99_999_000n);
    const txid = await send(first);
    expect(await send(first)).toBe(txid);
    expect(await refusalOf(pay(99_990_000n))).toBe("-26 txn-mempool-conflict (code 18)");
    await node.mine();
    expect(await refusalOf(first)).toBe("-27 transaction already in block chain");
    expect(await refusalOf(pay(99_990_000n))).toBe("-25 Missing inputs");
  });

  it("refuses an early spend of a coinbase", async () => {
    const [hash] = await node.call<readonly string[]>("generatetoaddress", 1, wallet.address);
    const { tx } = await node.call<{ readonly tx: readonly Transaction[] }>("getblock", hash, 2);
    const { txid, vout } = present(tx[0], "a coinbase");
    const units = BigInt(Math.round((vout[0]?.value ?? 0) * 1e8));
    const raw = wallet.spend([{ txid, vout: 0, units }], [{ script, units: units - 500n }]);
    expect(await refusalOf(raw)).toBe(
      "-26 bad-txns-premature-spend-of-coinbase, tried to spend coinbase at depth 1 (code 16)",
    );
  });

  it("orders blocks by transaction id, children before their parents where the ids say so", async () => {
    let coin = await fund("1");
    for (let made = 0; made < 12; made += 1) {
      const units = coin.units - 1000n;
      const txid = await send(wallet.spend([coin], [{ script, units }]));
      coin = { txid, vout: 0, units };
    }
    const chained = await node.call<readonly string[]>("getrawmempool");
    expect(chained).toHaveLength(13);
    await node.mine();
    const hash = await node.call<string>("getbestblockhash");
    const { tx } = await node.call<{ readonly tx: readonly string[] }>("getblock", hash);
    expect(tx.slice(1)).toEqual(chained.toSorted());
    await node.call("invalidateblock", hash);
    expect(new Set(await node.call<readonly string[]>("getrawmempool"))).toEqual(new Set(chained));
    await node.mine();
  });

  it("makes, shows and moves CashTokens, and keeps them apart from plain coins", async () => {
    // A category is named after a transaction whose first output it spends.
    const parent = await fund("1");
    const first = await send(wallet.spend([parent], [{ script, units: 99_990_000n }]));
    const token = {
      category: hexToBin(first),
      amount: 1000n,
      nft: { capability: "none" as const, commitment: hexToBin("ab") },
    };
    const coin = { txid: first, vout: 0, units: 99_990_000n };
    const txid = await send(
      wallet.spend(
        [coin],
        [
          { script, units: 1000n, token },
          { script, units: 99_980_000n },
        ],
      ),
    );
    await node.mine();
    const tokenData = {
      category: first,
      amount: "1000",
      nft: { capability: "none", commitment: "ab" },
    };
    expect(await node.call("gettxout", txid, 0)).toMatchObject({ value: 0.00001, tokenData });
    const { unspents } = await node.call<{ readonly unspents: readonly object[] }>(
      "scantxoutset",
      "start",
      [`raw(${script})`],
    );
    expect(unspents).toContainEqual(
      expect.objectContaining({ txid, vout: 0, amount: 0.00001, tokenData }),
    );
    const held = { txid, vout: 0, units: 1000n, token };
    const more = { txid, vout: 1, units: 99_980_000n };
    const forged = wallet.spend(
      [held, more],
      [{ script, units: 1000n, token: { ...token, amount: 1001n } }],
    );
    expect(await refusalOf(forged)).toMatch(/^-26 bad-txns-token-validation/);
    const moved = wallet.spend(
      [held, more],
      [
        { script, units: 1000n, token },
        { script, units: 99_970_000n },
      ],
    );
    expect(await refusalOf(moved)).toBe("accepted");
  });

  it("knows no fee estimates by target, mempool numbers or blocks of a scan, as BCHN does not", async () => {
    await expect(node.call("estimatesmartfee", 6)).rejects.toMatchObject({ code: -32601 });
    await expect(node.call("generateblock", "x", [])).rejects.toMatchObject({ code: -32601 });
    await expect(node.call("getrawmempool", false, true)).rejects.toMatchObject({ code: -1 });
    expect(await node.call("estimatefee")).toBe(0.00001);
    expect(await node.call("scantxoutset", "start", [])).toEqual({
      success: true,
      searched_items: expect.any(Number) as number,
      unspents: [],
      total_amount: 0,
    });
  });

  it.each([
    ["a CashAddr without its prefix", (address: string) => address.replace("bchreg:", "")],
    ["a CashAddr in upper case", (address: string) => address.toUpperCase()],
  ])("pays %s", async (_, spell) => {
    const address = await node.call<string>("getnewaddress");
    expect(bchn.rules.scriptOfAddress(spell(address))).toBe(bchn.rules.scriptOfAddress(address));
    await node.call("sendtoaddress", spell(address), 0.1);
    await node.mine();
    expect(await node.call("getreceivedbyaddress", address)).toBe(0.1);
  });
});
