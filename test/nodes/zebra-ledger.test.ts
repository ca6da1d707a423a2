import { HDKey } from "@scure/bip32";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Draft, DraftOutcome } from "../../src/chains/paying-port.ts";
import { createJsonRpc } from "../../src/chains/rpc/json-rpc.ts";
import { accountPath } from "../../src/chains/utxo/account-key.ts";
import { createUtxoAdapter } from "../../src/chains/utxo/adapter.ts";
import { verifyUtxoNode } from "../../src/chains/utxo/verify-network.ts";
import { present } from "../../src/platform/kernel/assert.ts";
import type { JsonObject } from "../../src/platform/kernel/json.ts";
import { silentLogger } from "../../src/platform/kernel/logger.ts";
import { money } from "../../src/platform/kernel/money.ts";
import { systemClock } from "../../src/platform/kernel/system-clock.ts";
import { systemRandom } from "../../src/platform/kernel/system-random.ts";
import { zebra } from "../../src/sandbox/zebra/zebra.ts";
import type { KeyRing } from "../../src/signer/draft-signer.ts";
import { createUtxoDraftSigner } from "../../src/signer/utxo/draft-signer.ts";
import { signedUtxoNetwork, utxoChain } from "../support/known-chains.ts";
import { type PrivateUtxoLedger, startPrivateLedger } from "../support/private-utxo-ledger.ts";

/*
 * The adapter and the signer on the simulated Zebra, whose digests and signature checks are not theirs. NU6.2 activates at block
 * 260 and NU6.3 at block 300, after the faucet's first coins.
 */

const nu62 = 260;
const nu63 = 300;
const { signal } = new AbortController();
const keys: KeyRing = {
  at: (path) => HDKey.fromMasterSeed(new Uint8Array(32).fill(9)).derive(path),
};
const zcash = utxoChain("ZEC");
const network = zcash.networks.regtest;
const accountKey = keys.at(accountPath(zcash, "regtest", "")).publicExtendedKey;
const signer = createUtxoDraftSigner({
  chain: zcash.chain,
  coldAddress: null,
  network: signedUtxoNetwork("ZEC", "regtest"),
});

let node: PrivateUtxoLedger;
let rpc: ReturnType<typeof createJsonRpc>;
let adapter: ReturnType<typeof createUtxoAdapter>;

beforeAll(async () => {
  node = await startPrivateLedger(zebra({ "NU6.2": nu62, "NU6.3": nu63 }));
  rpc = createJsonRpc({
    nodes: [{ url: node.ledger.rpcUrl }],
    chain: zcash.chain,
    clock: systemClock,
    logger: silentLogger,
    random: systemRandom,
    timeoutMs: 60_000,
    verify: verifyUtxoNode(network),
  });
  adapter = createUtxoAdapter({
    chain: zcash,
    network: "regtest",
    rpc,
    accountKeys: { "": accountKey },
    clock: systemClock,
  });
});
afterAll(async () => {
  await rpc.close();
  await node.stop();
});

const heightNow = (): Promise<number> => node.call<number>("getblockcount");
const mineTo = async (height: number): Promise<void> => {
  const missing = height - (await heightNow());
  if (missing > 0) await node.mine(missing);
};

type Fund = { readonly claim: string; readonly units: bigint; readonly keyIndex: number };

/** A coin of ours in a block. */
async function fund(keyIndex: number, coins: string): Promise<Fund> {
  const { address } = adapter.addressing.depositAt(keyIndex, null);
  const txid = await node.call<string>("sendtoaddress", address, coins);
  await node.mine();
  const units = BigInt(Math.round(Number(coins) * 1e8));
  const { vout } = await node.call<{
    readonly vout: readonly { readonly valueZat: number; readonly n: number }[];
  }>("getrawtransaction", txid, 1);
  const n = present(
    vout.find(({ valueZat }) => BigInt(valueZat) === units),
    "the payment",
  ).n;
  return { claim: `${txid}:${n}`, units, keyIndex };
}

async function draft(
  coins: readonly Fund[],
  units: bigint,
  replaces: Draft | null = null,
): Promise<DraftOutcome> {
  const change = present(adapter.addressing.changeAt, "change")(0);
  return await present(adapter.writer, "a writer").draft(
    {
      payments: [{ destination: await payee(), amount: money(units, zcash.currency) }],
      funds: {
        kind: "coins",
        coins: coins.map((coin) => ({ ...coin, addressType: "", branch: 0 as const })),
        change: { address: change.address, addressType: "", keyIndex: 0 },
      },
      feeTarget: null,
      feeCeiling: 1_000_000n,
      replaces,
    },
    signal,
  );
}

/** An address of the faucet, always the same. */
let payeeAddress: string | null = null;
async function payee() {
  payeeAddress ??= await node.call<string>("getnewaddress");
  return present(adapter.addressing.parse(payeeAddress, null), "an address");
}

async function drafted(
  coins: readonly Fund[],
  units: bigint,
  replaces: Draft | null = null,
): Promise<Draft> {
  const outcome = await draft(coins, units, replaces);
  if (outcome.kind !== "draft") throw new Error(`no draft: ${outcome.kind}`);
  return outcome.draft;
}

const sign = (body: JsonObject) => signer.sign(body, keys);
const send = (raw: Uint8Array) => present(adapter.writer, "a writer").broadcast(raw, signal);

describe("the simulated Zebra", () => {
  it("is followed by blocks, mempool, senders and balances", async () => {
    await adapter.reader.verifyNetwork(signal);
    const { address } = adapter.addressing.depositAt(1, null);
    const script = adapter.addressing.watchKey(adapter.addressing.depositAt(1, null));
    const txid = await node.call<string>("sendtoaddress", address, "1.25");
    const waiting = await adapter.reader.pendingTransfers!(signal);
    expect(waiting.filter((transfer) => transfer.to === script)).toMatchObject([
      { key: { txid }, asset: { amount: { units: 125_000_000n } } },
    ]);
    expect(await adapter.reader.statusOf(txid, [], signal)).toEqual({ kind: "pending" });
    await node.mine();
    const tip = await adapter.reader.tip(signal);
    const content = await adapter.reader.readBlock(tip, signal);
    expect(content?.transfers.filter((transfer) => transfer.to === script)).toHaveLength(1);
    // The miner's output is no payment.
    expect(content?.transfers.every(({ key }) => key.txid === txid)).toBe(true);
    const origin = (await adapter.reader.senders([txid], tip, signal)).get(txid);
    expect(origin?.addresses).toHaveLength(1);
    expect(origin?.claims).toHaveLength(1);
    expect(await adapter.reader.balancesAt([address], zcash.currency, tip.hash, signal)).toEqual([
      125_000_000n,
    ]);
    expect(
      await adapter.reader.balancesAt([address], zcash.currency, "00".repeat(32), signal),
    ).toBeNull();
    expect(await adapter.reader.statusOf(txid, [], signal)).toEqual({
      kind: "included",
      height: tip.height,
    });
    expect(await adapter.reader.headerAt(tip.height + 1, signal)).toBeNull();
    // Those of the coin itself: the node lacks nothing.
    expect(await adapter.reader.limitations(signal)).toEqual(zcash.limitations);
  });

  it("counts what was mined to an address neither as a payment nor as its balance", async () => {
    const { address } = adapter.addressing.depositAt(8, null);
    const balance = async (): Promise<unknown> => {
      const { hash } = await adapter.reader.tip(signal);
      return await adapter.reader.balancesAt([address], zcash.currency, hash, signal);
    };
    await node.call("generatetoaddress", 2, address);
    const [utxo] = await node.call<readonly { readonly satoshis: number }[]>("getaddressutxos", {
      addresses: [address],
    });
    expect(utxo?.satoshis).toBeGreaterThan(0);
    expect(await balance()).toEqual([0n]);
    await node.call("sendtoaddress", address, "0.75");
    await node.mine();
    expect(await balance()).toEqual([75_000_000n]);
  });

  it("takes what the signer signed, and mines it with the drafted fee", async () => {
    const coins = [await fund(2, "0.5"), await fund(3, "0.7"), await fund(4, "0.9")];
    const made = await drafted(coins, 200_000_000n);
    expect(made.feeUnits).toBe(15_000n);
    const { raw, txid } = sign(made.body);
    expect(await send(raw)).toEqual({ kind: "accepted" });
    expect(await send(raw)).toEqual({ kind: "alreadyKnown" });
    await node.mine();
    expect(await send(raw)).toEqual({ kind: "alreadyKnown" });
    expect(await adapter.writer!.status(txid, made, signal)).toMatchObject({ kind: "mined", txid });
    const info = await node.call<{ readonly expiryheight: number; readonly version: number }>(
      "getrawtransaction",
      txid,
      1,
    );
    expect(info).toMatchObject({ version: 5, expiryheight: (await heightNow()) + 39 });
  });

  it("refuses altered signatures, amounts, branches, low fees and spent coins, as Zebra does", async () => {
    const coin = await fund(5, "0.4");
    const made = await drafted([coin], 10_000_000n);
    const { raw } = sign(made.body);
    const refusal = async (bytes: Uint8Array): Promise<string> => {
      const outcome = await send(bytes);
      return outcome.kind === "rejected" ? outcome.reason : outcome.kind;
    };
    const altered = Buffer.from(raw);
    altered.writeUInt8(altered.readUInt8(altered.length - 40) ^ 1, altered.length - 40);
    expect(await refusal(altered)).toMatch(/could not verify a transparent script/);
    const [input] = made.body["inputs"] as readonly JsonObject[];
    const lie = { ...made.body, inputs: [{ ...input, units: "40000001" }] };
    expect(await refusal(sign(lie).raw)).toMatch(/could not verify a transparent script/);
    const other = { ...made.body, consensus: { branchId: "37a5165b", expiryHeight: 400 } };
    expect(await refusal(sign(other).raw)).toMatch(/incorrect consensus branch id/);
    const expired = { ...made.body, consensus: { branchId: "4dec4df0", expiryHeight: 20 } };
    expect(await refusal(sign(expired).raw)).toMatch(/greater than its expiry 20/);
    const outputs = made.body["outputs"] as readonly JsonObject[];
    const [first, ...rest] = outputs;
    const units = (BigInt(first!["units"] as string) + 1n).toString();
    const cheap = { ...made.body, outputs: [{ ...first, units }, ...rest] };
    expect(await refusal(sign(cheap).raw)).toMatch(/Unpaid actions is higher than the limit/);
    expect(await refusal(raw)).toBe("accepted");
    const again = { ...made.body, outputs: outputs.toReversed() };
    expect(await refusal(sign(again).raw)).toMatch(/already spent some of its inputs/);
    await node.mine();
    expect(await refusal(sign(again).raw)).toMatch(/could not find transparent input UTXO/);
  });

  it("drops a payment that expired, which is proven and drafted again with the same coin", async () => {
    await mineTo(nu62);
    const coin = await fund(6, "0.4");
    const made = await drafted([coin], 10_000_000n);
    const { raw, txid } = sign(made.body);
    const last = made.validity?.kind === "height" ? made.validity.last : 0;
    expect(last).toBe(nu63 - 1);
    expect(await draft([coin], 10_000_000n, made)).toMatchObject({ kind: "impossible" });
    await send(raw);
    const { control } = node;
    const start = await heightNow();
    await control("/mine", { blocks: last - start, empty: true });
    expect(await heightNow()).toBe(last);
    expect(await node.call("getrawmempool")).toEqual([]);
    expect(await send(raw)).toMatchObject({ kind: "rejected" });
    const block = await adapter.reader.tip(signal);
    expect(await adapter.writer!.isMissingUpTo!(txid, made, block, signal)).toBe(true);
    // The next block is the first one of NU6.3.
    const next = await drafted([coin], 10_000_000n, made);
    expect(next.claims).toEqual(made.claims);
    expect(next.body["consensus"]).toEqual({ branchId: "37a5165b", expiryHeight: last + 40 });
    const signed = sign(next.body);
    expect(signed.txid).not.toBe(txid);
    expect(await send(signed.raw)).toEqual({ kind: "accepted" });
    await node.mine();
    expect(await adapter.writer!.status(signed.txid, next, signal)).toMatchObject({
      kind: "mined",
    });
    const tip = await adapter.reader.tip(signal);
    expect(await adapter.writer!.isMissingUpTo!(signed.txid, next, tip, signal)).toBe(false);
    expect(await adapter.writer!.isMissingUpTo!(txid, made, tip, signal)).toBe(true);
  });

  it("returns a payment to the mempool in a reorg, and names what replaced it", async () => {
    const coin = await fund(7, "0.3");
    const made = await drafted([coin], 10_000_000n);
    const { raw, txid } = sign(made.body);
    await send(raw);
    await node.mine();
    await node.control("/reorg", { depth: 1 });
    expect(await adapter.writer!.status(txid, made, signal)).toEqual({ kind: "pending" });
    await node.mine(2);
    expect(await adapter.writer!.status(txid, made, signal)).toMatchObject({ kind: "mined" });
    const other = sign((await drafted([coin], 20_000_000n)).body);
    await node.control("/reorg", {
      depth: 2,
      transactions: "drop",
      include: [Buffer.from(other.raw).toString("hex")],
    });
    await node.mine(3);
    expect(await adapter.writer!.status(txid, made, signal)).toMatchObject({
      kind: "conflicted",
      by: other.txid,
    });
  });
});
