import { afterAll, beforeAll, expect, it } from "vitest";
import { RpcError } from "../../src/chains/rpc/node-error.ts";
import { present } from "../../src/platform/kernel/assert.ts";
import { dashd } from "../../src/sandbox/dialects/dashd.ts";
import { mineBlocks } from "../../src/sandbox/drive-utxo-node.ts";
import { type PrivateDialect, startPrivateDialect } from "../support/dialect-node.ts";
import { utxoChain } from "../support/known-chains.ts";
import { bitcoinjsPayer } from "../support/outside-payer.ts";
import { describeWithDaemon, openAdapter, type TestAdapter } from "../support/utxo-node.ts";
import { createUtxoPayer, type UtxoPayer } from "../support/utxo-payer.ts";

/* The adapter and the signer on bitcoind behind Dash Core's interface. */

const chain = utxoChain("DASH");
const coin = { chain, daemon: "bitcoind" as const };
const never = new AbortController().signal;
const prefixes = { publicKeyHash: 0x8c, scriptHash: 0x13, segwit: null };

type Described = Readonly<Record<string, unknown>>;

describeWithDaemon(coin, "Dash", (program) => {
  let node: PrivateDialect;
  let opened: TestAdapter;
  let payer: UtxoPayer;

  beforeAll(async () => {
    node = await startPrivateDialect(chain, dashd, program);
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
  const lock = (body: object = {}) => node.control("/lock", body);

  it("answers as Dash Core does", async () => {
    expect(await node.call("getblockhash", 0)).toBe(chain.networks.regtest.genesisHash);
    expect(await node.call("getnetworkinfo")).toMatchObject({
      version: 220_103,
      subversion: "/Dash Core:22.1.3/",
    });
    const tip = await node.call<string>("getbestblockhash");
    const block = await node.call<Described>("getblock", tip, 2);
    expect(block).toMatchObject({ hash: tip, chainlock: false });
    for (const name of ["weight", "strippedsize"]) expect(block).not.toHaveProperty(name);
    const [coinbase] = block["tx"] as readonly Described[];
    expect(coinbase).toMatchObject({
      version: 2,
      type: 0,
      height: block["height"],
      instantlock: false,
      instantlock_internal: false,
      chainlock: false,
    });
    for (const name of ["hash", "vsize", "weight"]) expect(coinbase).not.toHaveProperty(name);
    expect(await faultOf("createwallet", "other")).toMatchObject({ code: -32601 });
  });

  it("spells addresses as Dash does, and knows no others", async () => {
    const address = await node.call<string>("getnewaddress");
    expect(address).toMatch(/^y/);
    expect(await node.call("validateaddress", address)).toMatchObject({ isvalid: true, address });
    const foreign = await node.behind.faucet<string>("getnewaddress");
    const refusal = { code: -5, message: "Invalid Dash address" };
    expect(await faultOf("sendtoaddress", foreign, "1")).toEqual(refusal);
    expect(await faultOf("generatetoaddress", 1, foreign)).toEqual(refusal);
    const txid = await node.call<string>("sendtoaddress", address, "1.5");
    await node.control("/mine", { blocks: 1 });
    const { vout } = await node.call<{ vout: readonly { scriptPubKey: Described }[] }>(
      "getrawtransaction",
      txid,
      true,
    );
    expect(vout.map(({ scriptPubKey }) => scriptPubKey["address"])).toContain(address);
    expect(await node.call("getreceivedbyaddress", address)).toBe("1.50000000");
    const scan = await node.call<{ unspents: readonly Described[] }>("scantxoutset", "start", [
      `addr(${address})`,
    ]);
    expect(scan.unspents).toMatchObject([{ txid, amount: "1.50000000" }]);
  });

  it("reports no lock at first, then the newest locked block with those below it", async () => {
    const { reader } = opened.adapter;
    expect(await faultOf("getbestchainlock")).toEqual({
      code: -32603,
      message: "Unable to find any ChainLock",
    });
    expect(await reader.newestLocked?.(never)).toBeNull();
    await node.control("/mine", { blocks: 2 });
    await lock();
    const tip = await reader.tip(never);
    expect(await node.call("getbestchainlock")).toMatchObject({
      blockhash: tip.hash,
      height: tip.height,
      known_block: true,
    });
    expect(await node.call("getblockheader", tip.parentHash)).toMatchObject({ chainlock: true });
    await node.control("/mine", { blocks: 1 });
    const newer = await node.call<string>("getbestblockhash");
    expect(await node.call("getblockheader", newer)).toMatchObject({ chainlock: false });
    await lock({ every_block: true });
    await node.control("/mine", { blocks: 1 });
    const newest = await reader.tip(never);
    expect(await reader.newestLocked?.(never)).toMatchObject({ hash: newest.hash });
    await lock({ every_block: false });
  });

  it("keeps locks over a restart, and never undoes one", async () => {
    await lock();
    const locked = await node.call<{ blockhash: string }>("getbestchainlock");
    const resume = await node.pause();
    await resume();
    expect(await node.call("getbestchainlock")).toEqual(locked);
    await expect(node.control("/reorg", { depth: 1 })).rejects.toThrow(/never undone/);
    expect((await faultOf("invalidateblock", locked.blockhash)).message).toContain("locked");
    expect(await node.call("getbestblockhash")).toBe(locked.blockhash);
    const [newer = ""] = await mineBlocks(node.node, 1);
    await node.call("invalidateblock", newer);
    expect(await node.call("getbestblockhash")).toBe(locked.blockhash);
    await expect(lock({ every_block: "yes" })).rejects.toThrow(/every_block/);
  });

  it("shows an InstantSend lock, which leaves the payment pending", async () => {
    const { reader } = opened.adapter;
    const destination = opened.adapter.addressing.depositAt(7, null);
    const txid = await node.call<string>("sendtoaddress", destination.address, "0.25");
    await lock({ txid });
    const waiting = await node.call<Described>("getrawtransaction", txid, true);
    expect(waiting).toMatchObject({
      height: -1,
      instantlock: true,
      instantlock_internal: true,
      chainlock: false,
    });
    expect(await node.call("getmempoolentry", txid)).toMatchObject({ instantlock: "true" });
    expect(await reader.statusOf(txid, [], never)).toEqual({ kind: "pending" });
    const key = opened.adapter.addressing.watchKey(destination);
    const pending = (await reader.pendingTransfers?.(never)) ?? [];
    expect(pending.filter(({ to }) => to === key)).toHaveLength(1);
    await node.control("/mine", { blocks: 1 });
    await expect(lock({ txid })).rejects.toThrow(/not in mempool/);
    expect(await node.call("getrawtransaction", txid, true)).toMatchObject({
      instantlock: true,
      chainlock: false,
    });
  });

  it("pays and is paid by another library; nothing is replaced, and dust is refused", async () => {
    const outside = bitcoinjsPayer(prefixes);
    const funding = await node.call<string>(
      "getrawtransaction",
      await node.call<string>("sendtoaddress", outside.address, "1"),
    );
    const { address } = opened.adapter.addressing.depositAt(8, null);
    const raw = await outside.spend(funding, [{ address, units: 30_000_000n }], 10_000n);
    await node.call<string>("sendrawtransaction", raw);
    const rival = await outside.spend(funding, [{ address, units: 40_000_000n }], 1_000_000n);
    expect(await faultOf("sendrawtransaction", rival)).toMatchObject({ code: -26 });
    const coins = await payer.coins([{ addressType: "", units: 50_000_000n }]);
    const payee = present(opened.adapter.addressing.parse(outside.address, null), "an address");
    const funds = payer.funds(coins);
    const outcome = await payer.outcome({ payments: [payer.payment(payee, 545n)], funds });
    expect(outcome).toMatchObject({ kind: "impossible" });
    const payment = payer.payment(payee, 546n);
    const draft = await payer.draft({ payments: [payment], funds });
    const { txid } = await payer.send(draft, [payment]);
    await node.control("/mine", { blocks: 1 });
    expect(await payer.writer.status(txid, draft, never)).toMatchObject({ kind: "mined", txid });
  });
});
