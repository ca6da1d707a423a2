import { Account, Asset, Keypair, Operation, TransactionBuilder } from "@stellar/stellar-sdk";
import { describe, expect, it } from "vitest";
import {
  coin,
  hot,
  hotKeys,
  prepare,
  prepareTogether,
  usePayingStellar,
} from "../../../test/support/paying-stellar.ts";
import { named } from "../../../test/support/stellar-network.ts";
import { present } from "../../platform/kernel/assert.ts";
import type { Draft } from "../paying-port.ts";
import { validitySeconds } from "./draft-payment.ts";

/* How each of our transactions ends on the simulated network: paid, failed, expired, or its sequence used by another. */

const { signal } = new AbortController();
const site = usePayingStellar();
const { account, balanceOf, close, command, execute, faucet, newAccount, nextSequence, signed } =
  site;

describe("one of our transactions", () => {
  it("waits while another one of the account waits for a ledger", async () => {
    const receiver = named((await newAccount()).publicKey());
    const outcomes = await account().draftEach(
      hot,
      [6n, 7n].map((units) => ({
        payment: { destination: receiver, amount: { units, currency: coin } },
        feeTarget: null,
      })),
      { timesHigh: 2n },
      signal,
    );
    const next = await nextSequence();
    const [first, second] = outcomes.map((outcome, at) => {
      if (outcome.kind !== "draft") throw new Error(outcome.kind);
      return signed(outcome.withSequence(next + BigInt(at)), receiver, BigInt(6 + at)).raw;
    });
    const raws = [present(first, "the first"), present(second, "the second")];
    expect((await account().broadcastEach(raws, signal)).map(({ kind }) => kind)).toEqual([
      "accepted",
      "waits",
    ]);
    await close();
    expect((await account().broadcastEach(raws, signal)).map(({ kind }) => kind)).toEqual([
      "alreadyKnown",
      "accepted",
    ]);
    await close();
    expect(await balanceOf(receiver.address)).toBe(1_000_000_013n);
  });

  it("pays several receivers, and uses a sequence for each payment", async () => {
    const one = await newAccount();
    const stranger = Keypair.random().publicKey();
    const { sequence, raw, draft, txid } = await prepareTogether(site, [
      [one.publicKey(), 5n],
      [stranger, 10_000_000n],
      [stranger, 6n],
    ]);
    expect(await site.reached().writer.broadcast(raw, signal)).toEqual({ kind: "accepted" });
    await close();
    expect(await site.reached().writer.status(txid, draft, signal)).toMatchObject({
      hasSucceeded: true,
    });
    // Four operations: one uses the sequences.
    expect(draft.feeUnits).toBe(400n);
    expect(await balanceOf(stranger)).toBe(10_000_006n);
    expect(await nextSequence()).toBe(sequence + 3n);
  });

  it("names the payments that the network refused, and leaves sequences for the others", async () => {
    const [one, other, third] = [await newAccount(), await newAccount(), await newAccount()];
    const receivers = [one, other, third].map((keys) => [keys.publicKey(), 5n] as const);
    const { sequence, raw, draft, txid } = await prepareTogether(site, receivers);
    await execute(other, [Operation.accountMerge({ destination: faucet().publicKey() })]);
    await site.reached().writer.broadcast(raw, signal);
    await close();
    const status = await site.reached().writer.status(txid, draft, signal);
    const payments = ["undone", "refused", "undone"];
    expect(status).toMatchObject({ kind: "mined", hasSucceeded: false, payments, feeUnits: 400n });
    const [receipt] =
      (await site
        .reached()
        .reader.receiptsIn([txid], await site.reached().reader.tip(signal), signal)) ?? [];
    expect(receipt).toMatchObject({ hasSucceeded: false, payments });
    const rest = [receivers[0]!, receivers[2]!];
    const range = { sequence: sequence + 1n, through: sequence + 2n };
    const again = await prepareTogether(site, rest, range);
    await site.reached().writer.broadcast(again.raw, signal);
    await close();
    expect(await site.reached().writer.status(again.txid, again.draft, signal)).toMatchObject({
      hasSucceeded: true,
    });
    expect(await balanceOf(third.publicKey())).toBe(1_000_000_005n);
    expect(await nextSequence()).toBe(sequence + 3n);
  });

  it("that fails in a ledger moves nothing and costs its fee", async () => {
    const receiver = await newAccount();
    const { draft, raw, txid } = await prepare(site, named(receiver.publicKey()), 12n);
    await execute(receiver, [Operation.accountMerge({ destination: faucet().publicKey() })]);
    const before = await balanceOf(hot);
    await site.reached().writer.broadcast(raw, signal);
    await close();
    expect(await site.reached().writer.status(txid, draft, signal)).toMatchObject({
      kind: "mined",
      hasSucceeded: false,
      feeUnits: 100n,
    });
    expect(await balanceOf(hot)).toBe(before - 100n);
  });

  it("conflicts with another one that used its sequence, which is named", async () => {
    const receiver = await newAccount();
    const { draft, txid } = await prepare(site, named(receiver.publicKey()), 12n);
    await execute(hotKeys, [
      Operation.payment({ destination: receiver.publicKey(), asset: Asset.native(), amount: "1" }),
    ]);
    const status = await site.reached().writer.status(txid, draft, signal);
    expect(status).toMatchObject({
      kind: "conflicted",
      block: { height: expect.any(Number) as number },
    });
    expect(status.kind === "conflicted" && status.by).toMatch(/^[0-9a-f]{64}$/);
  });

  it("is ours inside the fee-bump transaction of someone else, and costs us nothing", async () => {
    const receiver = named((await newAccount()).publicKey());
    const sequence = await nextSequence();
    const inner = new TransactionBuilder(new Account(hot, String(sequence - 1n)), {
      fee: "100",
      networkPassphrase: site.reached().network.networkPassphrase,
    })
      .addOperation(
        Operation.payment({ destination: receiver.address, asset: Asset.native(), amount: "1" }),
      )
      .setTimeout(0)
      .build();
    inner.sign(hotKeys);
    const bumped = TransactionBuilder.buildFeeBumpTransaction(
      faucet(),
      "200",
      inner,
      site.reached().network.networkPassphrase,
    );
    bumped.sign(faucet());
    expect((await site.reached().server.sendTransaction(bumped)).status).toBe("PENDING");
    await close();
    const txid = Buffer.from(inner.hash()).toString("hex");
    const draft: Draft = {
      body: {},
      claims: [`${hot}#${sequence}`],
      feeUnits: 100n,
      validity: null,
    };
    expect(await site.reached().writer.status(txid, draft, signal)).toMatchObject({
      kind: "mined",
      txid,
      hasSucceeded: true,
      feeUnits: 0n,
    });
  });

  it("that was never in a ledger is dead once one closed after its time", async () => {
    const receiver = named((await newAccount()).publicKey());
    const { draft, raw, txid } = await prepare(site, receiver, 12n);
    await command("/swallow-broadcasts", { count: 1 });
    expect(await site.reached().writer.broadcast(raw, signal)).toEqual({ kind: "accepted" });
    await close(700);
    const tip = await site.reached().reader.tip(signal);
    expect(draft.validity?.kind === "time" && tip.time > draft.validity.until).toBe(true);
    expect(await site.reached().writer.isMissingUpTo?.(txid, draft, tip, signal)).toBe(true);
    expect(
      await site
        .reached()
        .writer.isMissingUpTo?.(txid, draft, { ...tip, hash: "ab".repeat(32) }, signal),
    ).toBe(false);
    expect(await site.reached().writer.broadcast(raw, signal)).toMatchObject({
      kind: "rejected",
      reason: expect.stringContaining("txTooLate") as string,
    });
    expect(await site.reached().writer.status(txid, draft, signal)).toEqual({ kind: "unknown" });
  });
});

describe("a node that keeps no ledgers of when a transaction was valid", () => {
  it("does not call it missing, also a long time after", async () => {
    const receiver = named((await newAccount()).publicKey());
    const { draft, raw, txid } = await prepare(site, receiver, 12n);
    expect(await site.reached().writer.broadcast(raw, signal)).toEqual({ kind: "accepted" });
    await close();
    const { height } = await site.reached().reader.tip(signal);
    await close(validitySeconds + 1);
    const isMissing = present(site.reached().writer.isMissingUpTo, "expiry");
    expect(await isMissing(txid, draft, await site.reached().reader.tip(signal), signal)).toBe(
      false,
    );
    await command("/mine", { blocks: 800, seconds: 0 });
    await command("/forget", { before: height + 1 });
    const tip = await site.reached().reader.tip(signal);
    expect(await isMissing(txid, draft, tip, signal)).toBe(false);
    expect(await isMissing("ab".repeat(32), draft, tip, signal)).toBe(false);
  });
});
