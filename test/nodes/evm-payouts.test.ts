import { keccak_256 } from "@noble/hashes/sha3.js";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { SpendStatus } from "../../src/chains/paying-port.ts";
import type { BlockRef } from "../../src/chains/port.ts";
import { present } from "../../src/platform/kernel/assert.ts";
import type { CurrencyId } from "../../src/platform/kernel/money.ts";
import { type HotAccount, payment, type Signed } from "../support/evm-hot-account.ts";
import { dai, type PayingNode, startPayingNode } from "../support/evm-paying-node.ts";
import {
  type AdapterUnderTest,
  connectEvm,
  eth,
  type PrivateEvm,
  signal,
  usdc,
  usdt,
} from "../support/private-evm.ts";
import { type RpcGateway, startGateway } from "../support/rpc-gateway.ts";

describe("the EVM writer", () => {
  /*
   * Payments from the hot account on a real node: drafted by the adapter, read and signed by the signer, and followed through
   * every outcome on the chain.
   */

  let node: PayingNode;
  let evm: PrivateEvm;
  let gateway: RpcGateway;
  let client: AdapterUnderTest;
  let hot: HotAccount;
  /** A token that has a balance but cannot be transferred. */
  let daiContract: string;
  let payee: string;

  beforeAll(async () => {
    node = await startPayingNode();
    ({ evm, gateway, client, hot, daiContract } = node);
  });
  afterAll(() => node.close());

  let freshCount = 0;
  beforeEach(() => {
    gateway.isCutOff = false;
    gateway.intercept = () => null;
    freshCount += 1;
    payee = client.adapter.addressing.depositAt(500 + freshCount, null).address;
  });

  async function statusOf(signed: Signed): Promise<SpendStatus> {
    return await hot.writer.status(signed.txid, signed.draft, signal);
  }

  /** The status, which must be `mined`, in the newest block. */
  async function mined(signed: Signed): Promise<Extract<SpendStatus, { readonly kind: "mined" }>> {
    const status = await statusOf(signed);
    if (status.kind !== "mined") throw new Error(`${status.kind} instead of mined`);
    expect(status.block).toEqual(await client.adapter.reader.tip(signal));
    return status;
  }

  async function tokens(contract: string, address: string): Promise<bigint> {
    const data = `0x70a08231${address.slice(2).toLowerCase().padStart(64, "0")}`;
    return BigInt(
      await evm.rpc.call<string>("eth_call", [{ to: contract, data }, "latest"], signal),
    );
  }

  it("pays ether at a cost that matches the chain's report to the wei", async () => {
    const before = await hot.coinUnits();
    const quote = await hot.writer.quote(
      {
        payment: payment(payee, eth, 10n ** 18n),
        funds: { kind: "account", address: hot.address, sequence: 0n },
        balance: 10n ** 19n,
      },
      signal,
    );
    expect(quote.low).toBeLessThanOrEqual(quote.medium);
    expect(quote.medium).toBeLessThanOrEqual(quote.high);
    const request = await hot.request([payment(payee, eth, 10n ** 18n)], { feeTarget: quote.high });
    const draft = await hot.draft(request);
    expect(draft.feeUnits).toBeLessThanOrEqual(quote.high);
    expect(quote.high - draft.feeUnits).toBeLessThan(21_000n);
    const signed = hot.sign(draft, request.payments);
    expect(await statusOf(signed)).toEqual({ kind: "unknown" });
    expect(await hot.writer.broadcast(signed.raw, signal)).toEqual({ kind: "accepted" });
    expect(await statusOf(signed)).toEqual({ kind: "pending" });
    await evm.mine();

    const status = await mined(signed);
    expect(status.txid).toBe(signed.txid);
    expect(status.hasSucceeded).toBe(true);
    expect(status.feeUnits).toBe(before - 10n ** 18n - (await hot.coinUnits()));
    expect(status.feeUnits).toBeLessThanOrEqual(draft.feeUnits);
    expect(await hot.coinUnits(payee)).toBe(10n ** 18n);
    const tip: BlockRef = status.block;
    const { feeUnits, hasSucceeded, txid } = status;
    expect(await client.adapter.reader.receiptsIn([signed.txid], tip, signal)).toEqual([
      { txid, hasSucceeded, feeUnits },
    ]);
  });

  it.each([
    ["usdt", usdt],
    ["usdc", usdc],
  ] as const)("pays %s, whether or not its transfer returns a value", async (name, currency) => {
    const before = await hot.coinUnits();
    const held = await tokens(evm.contracts[name], hot.address);
    const signed = await hot.pay(payment(payee, currency, 1_500_000n));
    await evm.mine();
    const status = await mined(signed);
    expect(status.hasSucceeded).toBe(true);
    expect(await tokens(evm.contracts[name], payee)).toBe(1_500_000n);
    expect(await tokens(evm.contracts[name], hot.address)).toBe(held - 1_500_000n);
    expect(status.feeUnits).toBe(before - (await hot.coinUnits()));
  });

  it("reports the hot account's balance at the tip and at the currency's confirmation depth", async () => {
    const { account } = hot.writer;
    const fundsOf = async (currency: CurrencyId, confirmations: number) =>
      await account?.funds(hot.address, currency, confirmations, signal);
    const [usdcBefore, ethBefore] = [
      await tokens(evm.contracts.usdc, hot.address),
      await hot.coinUnits(),
    ];
    await hot.pay(payment(payee, usdc, 4n));
    await evm.mine();
    const ethAfter = await hot.coinUnits();
    const reserved = 0n;
    const usdcAfter = usdcBefore - 4n;
    expect(await fundsOf(usdc, 1)).toEqual({ latest: usdcAfter, final: usdcAfter, reserved });
    expect(await fundsOf(usdc, 2)).toEqual({ latest: usdcAfter, final: usdcBefore, reserved });
    expect(await fundsOf(eth, 2)).toEqual({ latest: ethAfter, final: ethBefore, reserved });
    // The chain is younger than that, so its first block is used.
    expect(await fundsOf(eth, 1000)).toEqual({ latest: ethAfter, final: 0n, reserved });
  });

  it("reserves enough gas for a token payment when the receiver's balance is emptied before the block", async () => {
    const [holder = ""] = evm.accounts;
    const emptied = present(evm.accounts[5], "an account");
    await evm.send({ to: evm.contracts.usdc, call: ["DollarLike", "transfer", emptied, 7n] });
    await evm.mine();
    await evm.send({
      from: emptied,
      to: evm.contracts.usdc,
      call: ["DollarLike", "transfer", holder, 7n],
      feeTimes: 5,
    });
    const signed = await hot.pay(payment(emptied, usdc, 9n));
    await evm.mine();
    expect((await mined(signed)).hasSucceeded).toBe(true);
    expect(await tokens(evm.contracts.usdc, emptied)).toBe(9n);
  });

  it.each([
    ["returns false", "60003560e01c6370a08231146019576000600052602060 00f35b"],
    ["reverts", "60003560e01c6370a08231146014576000 6000fd5b"],
  ])("rejects a payment of a token whose transfer %s", async (_case, start) => {
    const rest = "670de0b6b3a764000060005260206000f3";
    await evm.rpc.call(
      "anvil_setCode",
      [daiContract, `0x${start.replace(" ", "")}${rest}`],
      signal,
    );
    const outcome = await hot.writer.draft(await hot.request([payment(payee, dai, 5n)]), signal);
    expect(outcome.kind).toBe("impossible");
  });

  it("rejects a payment of a token without a contract, and one of ether to a contract that accepts none", async () => {
    await evm.rpc.call("anvil_setCode", [daiContract, "0x"], signal);
    const missing = await hot.writer.draft(await hot.request([payment(payee, dai, 5n)]), signal);
    expect(missing).toEqual({ kind: "insufficient", currency: dai, missing: 5n });
    const refused = await hot.writer.draft(
      await hot.request([payment(evm.contracts.usdt, eth, 5n)]),
      signal,
    );
    expect(refused.kind).toBe("impossible");
  });

  it("gives a contract that accepts ether enough gas", async () => {
    const wallet = await evm.deploy("PayingWallet");
    const signed = await hot.pay(payment(wallet, eth, 5n));
    expect(signed.draft.body["gas"]).not.toBe("21000");
    await evm.mine();
    expect((await mined(signed)).hasSucceeded).toBe(true);
    expect(await hot.coinUnits(wallet)).toBe(5n);
  });

  it("reports which currency lacks funds, and how much", async () => {
    const held = await tokens(evm.contracts.usdc, hot.address);
    const coin = await hot.coinUnits();
    const draftOf = async (currency: CurrencyId, units: bigint) =>
      await hot.writer.draft(await hot.request([payment(payee, currency, units)]), signal);
    expect(await draftOf(usdc, held + 3n)).toEqual({
      kind: "insufficient",
      currency: usdc,
      missing: 3n,
    });
    expect(await draftOf(eth, coin + 3n)).toEqual({
      kind: "insufficient",
      currency: eth,
      missing: 3n,
    });
    const all = await draftOf(eth, coin);
    expect(all).toMatchObject({ kind: "insufficient", currency: eth });
    const rest = all.kind === "insufficient" ? all.missing : 0n;
    expect(rest).toBeGreaterThan(0n);

    await evm.rpc.call("anvil_setBalance", [hot.address, "0x5"], signal);
    const feeless = await draftOf(usdc, 3n);
    expect(feeless).toMatchObject({ kind: "insufficient", currency: eth });
    await evm.rpc.call("anvil_setBalance", [hot.address, `0x${coin.toString(16)}`], signal);
  });

  it("charges only the fee for a payment that the chain reverts", async () => {
    const held = await tokens(evm.contracts.usdc, hot.address);
    const before = await hot.coinUnits();
    const signed = await hot.pay(payment(payee, usdc, 1000n));
    // The tokens leave the account before the block.
    await setTokens(hot.address, 0n);
    await evm.mine();
    const status = await mined(signed);
    expect(status.hasSucceeded).toBe(false);
    expect(status.feeUnits).toBe(before - (await hot.coinUnits()));
    expect(await tokens(evm.contracts.usdc, payee)).toBe(0n);
    await setTokens(hot.address, held);
  });

  /** Sets a balance of the dollar token, whose balances occupy the first storage slot. */
  async function setTokens(address: string, units: bigint): Promise<void> {
    const place = `${address.slice(2).padStart(64, "0")}${"0".repeat(64)}`;
    const slot = Buffer.from(keccak_256(Buffer.from(place, "hex"))).toString("hex");
    const word = `0x${units.toString(16).padStart(64, "0")}`;
    await evm.rpc.call("anvil_setStorageAt", [evm.contracts.usdc, `0x${slot}`, word], signal);
  }

  it("recognizes the same bytes on every broadcast, also once they are mined", async () => {
    const signed = await hot.pay(payment(payee, eth, 5n));
    expect(await hot.writer.broadcast(signed.raw, signal)).toEqual({ kind: "alreadyKnown" });
    await evm.mine();
    expect(await hot.writer.broadcast(signed.raw, signal)).toEqual({ kind: "alreadyKnown" });
    await evm.mine(2);
    expect(await hot.writer.broadcast(signed.raw, signal)).toEqual({ kind: "alreadyKnown" });
    expect(await hot.coinUnits(payee)).toBe(5n);
  });

  it("repeats a broadcast whose response was lost without side effects", async () => {
    const paid = payment(payee, eth, 5n);
    const signed = hot.sign(await hot.draft(await hot.request([paid])), [paid]);
    gateway.isCutOff = true;
    await expect(hot.writer.broadcast(signed.raw, signal)).rejects.toMatchObject({
      name: "Unavailable",
    });
    const raw = `0x${Buffer.from(signed.raw).toString("hex")}`;
    await evm.rpc.callOnce("eth_sendRawTransaction", [raw], signal);
    gateway.isCutOff = false;
    expect(await hot.writer.broadcast(signed.raw, signal)).toEqual({ kind: "alreadyKnown" });
    await evm.mine();
    expect((await mined(signed)).hasSucceeded).toBe(true);
    expect(await hot.coinUnits(payee)).toBe(5n);
  });

  it("rejects another transaction with the same nonce while the first is pending", async () => {
    const nonce = await hot.nextNonce();
    await hot.pay(payment(payee, eth, 5n));
    const other = [payment(payee, eth, 6n)];
    const signed = hot.sign(await hot.draft(await hot.request(other, { nonce })), other);
    const outcome = await hot.writer.broadcast(signed.raw, signal);
    expect(outcome.kind).toBe("rejected");
    await evm.mine();
    expect(await hot.coinUnits(payee)).toBe(5n);
  });

  it("replaces a stuck payment with one at a higher fee, and only that one is mined", async () => {
    const paid = [payment(payee, usdt, 5n)];
    const nonce = await hot.nextNonce();
    const request = await hot.request(paid, { nonce });
    const first = hot.sign(await hot.draft(request), paid);
    expect(await hot.writer.broadcast(first.raw, signal)).toEqual({ kind: "accepted" });
    expect(await statusOf(first)).toEqual({ kind: "pending" });
    expect(await hot.nextNonce()).toBe(nonce);

    const tight = { ...request, replaces: first.draft, feeCeiling: first.draft.feeUnits };
    expect((await hot.writer.draft(tight, signal)).kind).toBe("tooExpensive");
    const second = hot.sign(await hot.draft({ ...request, replaces: first.draft }), paid);
    expect(second.draft.claims).toEqual(first.draft.claims);
    expect(second.txid).not.toBe(first.txid);
    expect(await hot.writer.broadcast(second.raw, signal)).toEqual({ kind: "accepted" });
    await evm.mine();
    const status = await mined(second);
    expect(status.hasSucceeded).toBe(true);
    // The replacement made the first payment.
    expect(await statusOf(first)).toEqual(status);
    expect(await tokens(evm.contracts.usdt, payee)).toBe(5n);
    expect((await hot.writer.broadcast(first.raw, signal)).kind).toBe("rejected");
  });

  it("broadcasts the same bytes again after the node forgot a payment", async () => {
    const signed = await hot.pay(payment(payee, eth, 5n));
    await evm.rpc.call("anvil_dropTransaction", [signed.txid], signal);
    expect(await statusOf(signed)).toEqual({ kind: "unknown" });
    await evm.mine();
    expect(await statusOf(signed)).toEqual({ kind: "unknown" });
    expect(await hot.writer.broadcast(signed.raw, signal)).toEqual({ kind: "accepted" });
    await evm.mine();
    expect((await mined(signed)).hasSucceeded).toBe(true);
  });

  it("counts the original as the payment when it is mined instead of its replacement", async () => {
    const paid = [payment(payee, eth, 5n)];
    const request = await hot.request(paid);
    const first = hot.sign(await hot.draft(request), paid);
    await hot.writer.broadcast(first.raw, signal);
    const second = hot.sign(await hot.draft({ ...request, replaces: first.draft }), paid);
    await evm.mine();
    const status = await mined(first);
    expect((await hot.writer.broadcast(second.raw, signal)).kind).toBe("rejected");
    expect(await statusOf(second)).toEqual(status);
    expect(await hot.coinUnits(payee)).toBe(5n);
  });

  it("reports a conflict in the block where another transaction used the nonce", async () => {
    const nonce = await hot.nextNonce();
    const paid = [payment(payee, eth, 5n)];
    const lost = hot.sign(await hot.draft(await hot.request(paid)), paid);
    const other = await hot.pay(payment(payee, eth, 6n));
    await evm.mine();
    const { height, hash } = await client.adapter.reader.tip(signal);
    const conflict = { kind: "conflicted", by: other.txid, block: { height, hash } };
    expect(await statusOf(lost)).toEqual(conflict);
    await evm.mine(150);
    expect(await statusOf(lost)).toMatchObject({ kind: "conflicted" });
    await hot.pay(payment(payee, eth, 7n));
    await evm.mine(2);
    expect(await hot.nextNonce()).toBe(nonce + 2);
    expect((await statusOf(lost)).kind).toBe("conflicted");
  });

  it("asks nodes that are behind what was read neither for balances and numbers nor for drafts", async () => {
    const { height } = await client.adapter.reader.tip(signal);
    const nonce = await hot.nextNonce();
    const before = await hot.coinUnits();
    await hot.pay(payment(payee, eth, 5n));
    // Within the states that the node keeps.
    await evm.mine(15);
    const lagging = await startGateway(evm.anvil.url);
    const at = `0x${height.toString(16)}`;
    lagging.rewrite = (_method, params) => params.map((one) => (one === "latest" ? at : one));
    lagging.alter = (method, _params, result) => (method === "eth_blockNumber" ? at : result);
    const { currencies } = evm;
    const both = connectEvm({ url: lagging.url, furtherUrls: [gateway.url], currencies });
    const account = present(both.adapter.writer?.account, "an account");
    const numberAndUnits = async (): Promise<unknown[]> => [
      await account.nextSequence?.(hot.address, signal),
      (await account.funds(hot.address, eth, 1, signal)).latest,
    ];
    expect(await numberAndUnits()).toEqual([BigInt(nonce), before]);
    account.excludeBehind?.(height + 15);
    expect(await numberAndUnits()).toEqual([BigInt(nonce + 1), await hot.coinUnits()]);
    account.excludeBehind?.(height + 1_000);
    await expect(numberAndUnits()).rejects.toThrow("which we have read");
    const one = { payment: payment(payee, eth, 1n), feeTarget: null };
    const drafted = account.draftEach(hot.address, [one], { timesHigh: 10n }, signal);
    await expect(drafted).rejects.toThrow("which we have read");
    await both.close();
    await lagging.close();
  });

  it("reverses a payment in a reorg, and the same bytes are mined again", async () => {
    const signed = await hot.pay(payment(payee, eth, 5n));
    await evm.mine();
    const first = await mined(signed);
    const receipt = await evm.rpc.call("eth_getTransactionReceipt", [signed.txid], signal);
    await evm.mine();
    await evm.reorg(2);
    expect(await statusOf(signed)).toEqual({ kind: "unknown" });
    // Some nodes return receipts of replaced blocks.
    gateway.intercept = (method) =>
      method === "eth_getTransactionReceipt" ? { result: receipt } : null;
    expect(await statusOf(signed)).toEqual({ kind: "pending" });
    gateway.intercept = () => null;
    expect(await client.adapter.reader.receiptsIn([signed.txid], first.block, signal)).toBeNull();
    expect(await hot.coinUnits(payee)).toBe(0n);
    expect(await hot.writer.broadcast(signed.raw, signal)).toEqual({ kind: "accepted" });
    await evm.mine();
    const again = await mined(signed);
    expect(again.block.hash).not.toBe(first.block.hash);
    expect(await hot.coinUnits(payee)).toBe(5n);
  });

  it("reports a conflict that a reorg causes, and clears it when the reorg is undone", async () => {
    const signed = await hot.pay(payment(payee, eth, 5n));
    await evm.mine();
    await evm.reorg(1);
    const other = await hot.pay(payment(payee, eth, 6n));
    await evm.mine();
    expect(await statusOf(signed)).toMatchObject({ kind: "conflicted", by: other.txid });
    await evm.reorg(1);
    expect(await statusOf(signed)).toEqual({ kind: "unknown" });
    await hot.writer.broadcast(signed.raw, signal);
    await evm.mine();
    expect((await mined(signed)).hasSucceeded).toBe(true);
  });

  it("fills a nonce gap with an empty transaction", async () => {
    const nonce = await hot.nextNonce();
    const before = await hot.coinUnits();
    const signed = hot.sign(await hot.draft(await hot.request([])), []);
    await hot.writer.broadcast(signed.raw, signal);
    await evm.mine();
    const status = await mined(signed);
    expect(await hot.nextNonce()).toBe(nonce + 1);
    expect(await hot.coinUnits()).toBe(before - present(status.feeUnits, "a fee"));
  });

  it("reports no outcome while the node is unavailable", async () => {
    const request = await hot.request([payment(payee, eth, 5n)]);
    const signed = hot.sign(await hot.draft(request), request.payments);
    gateway.isCutOff = true;
    const unavailable = { name: "Unavailable" };
    await expect(hot.writer.draft(request, signal)).rejects.toMatchObject(unavailable);
    await expect(statusOf(signed)).rejects.toMatchObject(unavailable);
    await expect(hot.nextNonce()).rejects.toMatchObject(unavailable);
    gateway.isCutOff = false;
    // A node that responds, but not to this call: neither possible nor impossible.
    gateway.intercept = (method) =>
      method === "eth_call" ? { error: { code: -32000, message: "header not found" } } : null;
    await expect(hot.writer.draft(request, signal)).rejects.toMatchObject(unavailable);
    gateway.intercept = () => null;
  });
});
