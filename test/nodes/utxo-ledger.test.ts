import { cp, mkdtemp, rm, stat, truncate } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bchn } from "../../src/sandbox/bchn/bchn.ts";
import { type PrivateUtxoLedger, startPrivateLedger } from "../support/private-utxo-ledger.ts";

/* The simulated node with the rules of Bitcoin Cash, over its JSON-RPC; the rules' own tests are in bchn-ledger.test.ts. */

type Block = { readonly tx: readonly string[]; readonly height: number };

describe("a simulated UTXO ledger", () => {
  let node: PrivateUtxoLedger;

  beforeAll(async () => {
    node = await startPrivateLedger(bchn);
  });
  afterAll(() => node.stop());

  const pending = (): Promise<readonly string[]> => node.call("getrawmempool");
  const newAddress = (): Promise<string> => node.call("getnewaddress");
  const pay = async (): Promise<string> => node.call("sendtoaddress", await newAddress(), 0.01);
  const tip = (): Promise<string> => node.call("getbestblockhash");
  const blockAt = async (height: number): Promise<Block> =>
    node.call("getblock", await node.call("getblockhash", height));
  const height = (): Promise<number> => node.call("getblockcount");

  it("starts with 30 mature coinbases for its faucet", async () => {
    const coins = await node.call<readonly { readonly amount: number }[]>("listunspent");
    expect(await height()).toBe(130);
    expect(coins.map(({ amount }) => amount)).toEqual(Array.from({ length: 31 }, () => 50));
  });

  it("shows a payment as pending, then in the block that it mines", async () => {
    const address = await newAddress();
    const txid = await node.call<string>("sendtoaddress", address, "1.5");
    expect(await pending()).toEqual([txid]);
    expect(await node.call("getreceivedbyaddress", address)).toBe(0);
    await node.mine();
    expect(await pending()).toEqual([]);
    expect((await blockAt(await height())).tx).toContain(txid);
    expect(await node.call("getreceivedbyaddress", address)).toBe(1.5);
    expect(await node.call("getreceivedbyaddress", address, 2)).toBe(0);
  });

  it("pays the fees of a block to its miner", async () => {
    const txid = await pay();
    const { fees } = await node.call<{ readonly fees: { readonly base: number } }>(
      "getmempoolentry",
      txid,
    );
    const miner = await newAddress();
    await node.call("generatetoaddress", 1, miner);
    const subsidy = 50 / 2 ** Math.floor((await height()) / 150);
    expect(await node.call("getreceivedbyaddress", miner)).toBeCloseTo(subsidy + fees.base, 8);
  });

  it("pays from its own pending change", async () => {
    const { folder } = node;
    expect(folder).not.toBe("");
    const txids: string[] = [];
    for (let paid = 0; paid < 40; paid += 1) txids.push(await pay());
    expect(new Set(await pending())).toEqual(new Set(txids));
    await node.mine();
    expect(await pending()).toEqual([]);
  });

  it("returns the transactions of invalidated blocks to the pool, and activates the branch again", async () => {
    const txid = await pay();
    await node.mine(3);
    const [old, oldHeight] = [await tip(), await height()];
    const hash = await node.call<string>("getblockhash", oldHeight - 2);
    await node.call("invalidateblock", hash);
    expect(await height()).toBe(oldHeight - 3);
    expect(await pending()).toEqual([txid]);
    expect(await node.call("getblockheader", hash)).toMatchObject({ confirmations: -1 });
    await node.mine();
    expect(await pending()).toEqual([]);
    await node.call("reconsiderblock", hash);
    expect(await tip()).toBe(old);
    expect(await pending()).toEqual([]);
  });

  it("lets a reorg replace a payment by another spend of the same coin", async () => {
    const [first, second] = [await newAddress(), await newAddress()];
    const txid = await node.call<string>("sendtoaddress", first, 2);
    await node.mine(3);
    const { vin } = await node.call<{
      readonly vin: readonly { readonly txid: string; readonly vout: number }[];
    }>("getrawtransaction", txid, true);
    const coin = await valueOf(node, vin[0]);
    const draft = await node.call<string>("createrawtransaction", vin, [
      { [second]: (coin - 0.001).toFixed(8) },
    ]);
    const other = await node.call<{ readonly hex: string }>("decoderawtransaction", draft);
    expect(other.hex).toBeUndefined();
    await node.control("/reorg", { depth: 3 });
    expect(await pending()).toEqual([txid]);
    const signed = await node.call<{ readonly hex: string; readonly complete: boolean }>(
      "signrawtransactionwithwallet",
      draft,
    );
    expect(signed.complete).toBe(true);
    await node.mine(3);
    await node.control("/reorg", { depth: 3, include: [signed.hex] });
    await node.mine(4);
    expect(await node.call("getreceivedbyaddress", first)).toBe(0);
    expect(await node.call("getreceivedbyaddress", second)).toBeCloseTo(coin - 0.001, 8);
    expect(await node.call("getrawtransaction", txid, true)).toMatchObject({ confirmations: 0 });
  });

  it("mines empty blocks and drops transactions on demand", async () => {
    const txid = await pay();
    await node.control("/mine", { blocks: 1, empty: true });
    expect(await pending()).toEqual([txid]);
    await node.mine();
    await node.control("/reorg", { depth: 1, transactions: "drop" });
    expect(await pending()).toEqual([]);
    await node.mine();
  });

  it("answers a waiting request when a block arrives", async () => {
    const waiting = node.call<{ readonly hash: string }>("waitfornewblock", 20_000);
    await node.mine();
    expect((await waiting).hash).toBe(await tip());
  });

  it("refuses calls without its credentials, of unknown methods and of unknown wallets", async () => {
    const { origin } = new URL(node.ledger.rpcUrl);
    expect((await fetch(origin, { method: "POST", body: "{}" })).status).toBe(401);
    await expect(node.call("getsecrets")).rejects.toMatchObject({ code: -32601, status: 404 });
    const { password, username } = new URL(node.ledger.rpcUrl);
    const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`;
    const response = await fetch(`${origin}/wallet/other`, {
      method: "POST",
      headers: { authorization },
      body: JSON.stringify({ id: 1, method: "getbalance", params: [] }),
    });
    expect(await response.json()).toMatchObject({ error: { code: -18 } });
  });

  it("refuses wrong commands of the control endpoint", async () => {
    await expect(node.control("/mine", { blocks: 0 })).rejects.toThrow("blocks is an integer");
    await expect(node.control("/reorg", { depth: 1, include: ["00"] })).rejects.toThrow(
      "TX decode failed",
    );
  });
});

describe("the folder of a simulated UTXO ledger", () => {
  it("restores blocks, pending transactions, branches and addresses as a killed process left them", async () => {
    const first = await startPrivateLedger(bchn);
    const copy = await mkdtemp(join(tmpdir(), "sluice-ledger-copy-"));
    try {
      const address = await first.call<string>("getnewaddress");
      await first.call("sendtoaddress", address, 3);
      await first.mine(2);
      await first.control("/reorg", { depth: 2 });
      await first.mine();
      const txid = await first.call<string>("sendtoaddress", address, 4);
      const tip = await first.call<string>("getbestblockhash");
      // Without a clean stop, and with the beginning of an entry that was never acknowledged.
      await cp(first.folder, copy, { recursive: true });
      const journal = join(copy, "ledger.jsonl");
      const { size } = await stat(journal);
      await truncate(journal, size + 100);
      const second = await startPrivateLedger(bchn, copy);
      try {
        expect(await second.call("getbestblockhash")).toBe(tip);
        expect(await second.call("getrawmempool")).toEqual([txid]);
        expect(await second.call("getreceivedbyaddress", address, 0)).toBe(7);
        expect(new URL(second.ledger.rpcUrl).password).toBe(new URL(first.ledger.rpcUrl).password);
        await second.mine();
        expect(await second.call("getreceivedbyaddress", address)).toBe(7);
        expect(await second.call("getnewaddress")).not.toBe(address);
      } finally {
        await second.stop();
      }
    } finally {
      await first.stop();
      await rm(copy, { recursive: true, force: true });
    }
  });
});

async function valueOf(
  node: PrivateUtxoLedger,
  input: { readonly txid: string; readonly vout: number } | undefined,
): Promise<number> {
  const { vout } = await node.call<{ readonly vout: readonly { readonly value: number }[] }>(
    "getrawtransaction",
    input?.txid,
    true,
  );
  return vout[input?.vout ?? 0]?.value ?? 0;
}
