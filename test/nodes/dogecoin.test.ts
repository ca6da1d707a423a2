import { afterAll, beforeAll, expect, it } from "vitest";
import { RpcError } from "../../src/chains/rpc/node-error.ts";
import { createUtxoReader } from "../../src/chains/utxo/reader.ts";
import { present } from "../../src/platform/kernel/assert.ts";
import { systemClock } from "../../src/platform/kernel/system-clock.ts";
import { dogecoind } from "../../src/sandbox/dialects/dogecoind.ts";
import { withProof } from "../../src/sandbox/dialects/prove-work.ts";
import { type PrivateDialect, startPrivateDialect } from "../support/dialect-node.ts";
import { utxoChain } from "../support/known-chains.ts";
import { bitcoinjsPayer } from "../support/outside-payer.ts";
import { client, startNode } from "../support/scripted-node.ts";
import { describeWithDaemon, openAdapter, type TestAdapter } from "../support/utxo-node.ts";
import { createUtxoPayer, type UtxoPayer } from "../support/utxo-payer.ts";

/* The adapter and the signer on bitcoind behind Dogecoin Core's interface. */

const chain = utxoChain("DOGE");
const coin = { chain, daemon: "bitcoind" as const };
const never = new AbortController().signal;

describeWithDaemon(coin, "Dogecoin", (program) => {
  let node: PrivateDialect;
  let opened: TestAdapter;
  let payer: UtxoPayer;

  beforeAll(async () => {
    node = await startPrivateDialect(chain, dogecoind, program);
    opened = openAdapter(coin, [node.rpcUrl]);
    payer = createUtxoPayer(coin, node, opened.adapter);
  });
  afterAll(async () => {
    await opened.rpc.close();
    await node.stop();
  });

  const faultOf = async (method: string, ...params: readonly unknown[]) => {
    const error: unknown = await node.call(method, ...params).catch((fault: unknown) => fault);
    if (!(error instanceof RpcError)) throw new Error(`${method} was answered`);
    return { code: error.code, message: error.message };
  };

  it("answers as Dogecoin Core 1.14 does", async () => {
    const tip = await node.call<string>("getbestblockhash");
    expect(await node.call("getblockhash", 0)).toBe(chain.networks.regtest.genesisHash);
    expect(await faultOf("getblockheader", tip, 1)).toEqual({
      code: -1,
      message: "JSON value is not a boolean as expected",
    });
    expect(await faultOf("gettxout", "ab".repeat(32), 0, 1)).toMatchObject({ code: -1 });
    expect(await faultOf("getrawtransaction", "ab".repeat(32), 1, tip)).toMatchObject({ code: -1 });
    expect(await faultOf("estimatesmartfee", 6, "economical")).toMatchObject({ code: -1 });
    expect(await faultOf("getrawmempool", false, true)).toMatchObject({ code: -1 });
    for (const method of ["scantxoutset", "getindexinfo", "generateblock", "createwallet"])
      expect(await faultOf(method)).toMatchObject({ code: -32601 });
    expect(await node.call("getmempoolinfo")).not.toHaveProperty("minrelaytxfee");
    expect(await node.call("estimatesmartfee", 6)).toMatchObject({ feerate: -1 });
    // The first block pays the faucet's address; the newest ones pay none.
    const first = await node.call<string>("getblockhash", 1);
    const { tx } = await node.call<{ tx: readonly string[] }>("getblock", first, true);
    const [coinbase = ""] = tx;
    const { vout } = await node.call<{ vout: readonly { scriptPubKey: object }[] }>(
      "getrawtransaction",
      coinbase,
      1,
    );
    expect(vout[0]?.scriptPubKey).toHaveProperty("addresses");
  });

  it("reads blocks whose work was made for another chain, and refuses them without it", async () => {
    const { reader } = opened.adapter;
    const tip = await reader.tip(never);
    const raw = await node.call<string>("getblock", tip.hash, 0);
    const bare = await node.behind.command<string>("getblock", [tip.hash, 0]);
    expect(raw).toBe(withProof(Buffer.from(bare, "hex")).toString("hex"));
    expect(raw.length).toBeGreaterThan(bare.length);
    expect((await reader.readBlock(tip, never))?.block).toEqual(tip);
    const header = await node.call<object>("getblockheader", tip.hash, true);
    const readWith = async (bytes: Buffer) => {
      const lying = await startNode((body, response) => {
        const calls = body as readonly { readonly id: number; readonly method: string }[];
        response.end(
          JSON.stringify(
            calls.map(({ id, method }) => ({
              id,
              result: method === "getblock" ? bytes.toString("hex") : header,
            })),
          ),
        );
      });
      const { regtest } = chain.networks;
      const liar = createUtxoReader(chain, regtest, client([lying]), systemClock);
      return await liar.readBlock(tip, never);
    };
    const honest = Buffer.from(raw, "hex");
    expect((await readWith(honest))?.block).toEqual(tip);
    // The last byte of the parent's nonce: about every second value has the work on a test network.
    const outcomes = await Promise.allSettled(
      Array.from({ length: 16 }, (_, change) => {
        const changed = Buffer.from(honest);
        const nonceAt = 80 + (raw.length - bare.length) / 2 - 1;
        changed[nonceAt] = change + 1;
        return readWith(changed);
      }),
    );
    const refusals = outcomes.filter(({ status }) => status === "rejected");
    expect(refusals.length).toBeGreaterThan(0);
    for (const refusal of refusals)
      expect(String((refusal as PromiseRejectedResult).reason)).toContain(
        "lacks its proof of work",
      );
    await expect(readWith(Buffer.from(bare, "hex"))).rejects.toThrow();
  });

  it("charges what miners ask for by default, and pays nothing below the recommended dust limit", async () => {
    const coins = await payer.coins([{ addressType: "", units: 500_000_000n }]);
    const payee = present(
      opened.adapter.addressing.parse(await node.call("getnewaddress"), null),
      "an address",
    );
    const payment = payer.payment(payee, 100_000_000n);
    const funds = payer.funds(coins);
    const quote = await payer.writer.quote({ payment, funds, balance: 500_000_000n }, never);
    expect(quote).toMatchObject({ low: quote.medium, high: quote.medium, dust: 1_000_000n });
    const draft = await payer.draft({ payments: [payment], funds });
    // 0.01 DOGE per 1,000 bytes: one input and two outputs have 225.
    expect(draft.feeUnits).toBe(225_000n);
    const small = payer.payment(payee, 999_999n);
    expect(await payer.outcome({ payments: [small], funds })).toMatchObject({
      kind: "impossible",
      reason: expect.stringContaining("less than 1000000") as string,
    });
    // A payer's charge below the rate is raised to it.
    const cheap = await payer.draft({ payments: [payment], funds, feeTarget: 30_000n });
    expect(cheap.feeUnits).toBe(225_000n);
    const { raw, txid } = await payer.send(draft, [payment]);
    expect(await payer.writer.broadcast(raw, never)).toEqual({ kind: "alreadyKnown" });
    await node.control("/mine", { blocks: 1 });
    expect(await payer.writer.status(txid, draft, never)).toMatchObject({ kind: "mined", txid });
    expect(await payer.writer.broadcast(raw, never)).toEqual({ kind: "alreadyKnown" });
  });

  it("knows who paid and what was spent elsewhere, although the node describes no index", async () => {
    const { reader } = opened.adapter;
    const spots = await reader.limitations(never);
    expect(spots.join()).not.toContain("-txindex");
    expect(spots.join()).toContain("no balances of addresses");
    const outside = bitcoinjsPayer({ publicKeyHash: 0x6f, scriptHash: 0xc4, segwit: null });
    const txid = await node.call<string>("sendtoaddress", outside.address, "10");
    await node.control("/mine", { blocks: 1 });
    const funding = await node.call<string>("getrawtransaction", txid);
    const { address } = opened.adapter.addressing.depositAt(5, null);
    const raw = await outside.spend(funding, [{ address, units: 300_000_000n }], 1_000_000n);
    const other = await outside.spend(funding, [{ address, units: 400_000_000n }], 1_000_000n);
    const paid = await node.call<string>("sendrawtransaction", raw, true);
    const claims = (await reader.senders([paid], null, never)).get(paid)?.claims ?? [];
    expect((await reader.senders([paid], null, never)).get(paid)?.addresses).toEqual([
      outside.address,
    ]);
    expect(await faultOf("sendrawtransaction", other, true)).toMatchObject({ code: -26 });
    await node.control("/mine", { blocks: 1 });
    await node.control("/reorg", { depth: 1, include: [other] });
    await node.control("/mine", { blocks: 2, only: [outside.idOf(other)] });
    expect(await reader.statusOf(paid, claims, never)).toMatchObject({
      kind: "conflicted",
      by: outside.idOf(other),
    });
  });

  it("says that proofs are missing on a node without an index", async () => {
    const without = await startPrivateDialect(chain, dogecoind, program, ["-txindex=0"]);
    const adapter = openAdapter(coin, [without.rpcUrl]);
    try {
      const spots = await adapter.adapter.reader.limitations(never);
      expect(spots.join()).toContain("-txindex");
    } finally {
      await adapter.rpc.close();
      await without.stop();
    }
  });

  it("refuses what Dogecoin Core does not relay", async () => {
    const outside = bitcoinjsPayer({ publicKeyHash: 0x6f, scriptHash: 0xc4, segwit: null });
    const txid = await node.call<string>("sendtoaddress", outside.address, "10");
    const funding = await node.call<string>("getrawtransaction", txid);
    const pay = async (units: bigint, feeUnits: bigint) =>
      faultOf(
        "sendrawtransaction",
        await outside.spend(funding, [{ address: outside.address, units }], feeUnits),
      );
    expect((await pay(99_000n, 1_000_000n)).message).toContain("dust");
    expect((await pay(100_000_000n, 20_000n)).message).toContain("min relay fee not met");
  });
});
