import { Operation } from "@stellar/stellar-sdk";
import { beforeAll, describe, expect, it } from "vitest";
import {
  channelCount,
  channelsLending,
  coin,
  hot,
  usePayingStellar,
} from "../../../test/support/paying-stellar.ts";
import { named } from "../../../test/support/stellar-network.ts";
import { present } from "../../platform/kernel/assert.ts";
import type { ChainWriter, Draft, Payment } from "../paying-port.ts";
import type { Channel } from "./build-transaction.ts";
import { validitySeconds } from "./draft-payment.ts";
import { createStellarWriter } from "./writer.ts";

/* Accounts of ours that lend their sequences, on the simulated network. */

const { signal } = new AbortController();
const site = usePayingStellar();
const {
  account,
  balanceOf,
  close,
  command,
  execute,
  inspectAndSign,
  newAccount,
  nextSequence,
  signedAll,
} = site;

describe("channels", () => {
  const channels = channelsLending(channelCount);
  const [first, second, , , last] = channels.lending as [Channel, Channel, ...Channel[]];
  const gap = { spendId: "1", chain: "XLM", feeCeiling: "10000", kind: "gap" } as const;
  let lending: ChainWriter;
  const lenders = () => present(lending.account?.lenders, "channels");

  beforeAll(() => {
    lending = createStellarWriter({ ...site.options(), channels });
  });

  /** The transaction without payments that the pipeline makes when channels are missing. */
  async function make(feeCeiling: bigint): Promise<string> {
    const sequence = await nextSequence();
    const outcome = await lending.draft(
      {
        payments: [],
        funds: { kind: "account", address: hot, sequence },
        feeTarget: null,
        feeCeiling,
        replaces: null,
      },
      signal,
    );
    if (outcome.kind !== "draft") throw new Error(outcome.kind);
    const { raw, txid } = inspectAndSign(outcome.draft, gap);
    expect(await lending.broadcast(raw, signal)).toEqual({ kind: "accepted" });
    await close();
    expect((await lending.status(txid, outcome.draft, signal)).kind).toBe("mined");
    return txid;
  }

  async function nextOf(channel: Pick<Channel, "address">) {
    const { accounts } = await lenders().list(signal);
    return present(
      accounts.find(({ address }) => address === channel.address),
      "a channel",
    );
  }

  /** A ledger has the transaction, and it pays. */
  async function includes(draft: Draft, payments: readonly Payment[]): Promise<void> {
    const { raw, txid } = signedAll(draft, payments);
    expect(await lending.broadcast(raw, signal)).toEqual({ kind: "accepted" });
    await close();
    expect(await lending.status(txid, draft, signal)).toMatchObject({
      kind: "mined",
      hasSucceeded: true,
    });
  }

  /** Payments with one memo, with the next sequence of a channel. */
  async function prepareLent(
    { address: lender }: Channel,
    tag: string,
    payments: readonly (readonly [address: string, units: bigint])[],
  ) {
    const paid = payments.map(([address, units]) => ({
      destination: named(address, tag),
      amount: { units, currency: coin },
    }));
    const { next } = await nextOf({ address: lender });
    const [outcome] = await present(lending.account?.batching, "batches").draftEach(
      hot,
      [{ payments: paid, feeTarget: null }],
      { units: 10_000n },
      signal,
    );
    if (outcome?.kind !== "draft") throw new Error(outcome?.kind);
    const through = paid.length > 1 ? next + BigInt(paid.length) - 1n : undefined;
    const draft = outcome.withSequence(next, through, lender);
    return { draft, ...signedAll(draft, paid) };
  }

  it("are made without coin, as many at once as the fee's ceiling allows", async () => {
    const before = await account().funds(hot, coin, 1, signal);
    expect(await lenders().canBeMade(hot, signal)).toBe(true);
    expect((await lenders().list(signal)).accounts).toEqual([]);
    await make(1_000n);
    expect((await lenders().list(signal)).accounts).toHaveLength(3);
    await make(10_000n);
    expect((await lenders().list(signal)).accounts).toHaveLength(channelCount);
    expect(await lenders().canBeMade(hot, signal)).toBe(false);
    const after = await account().funds(hot, coin, 1, signal);
    // The money stays the account's own: it keeps 1 XLM for each channel, and paid 100 stroops for each of 15 operations.
    expect(after.reserved - before.reserved).toBe(BigInt(channelCount) * 10_000_000n);
    expect(before.latest - after.latest).toBe(1_500n);
    expect(await balanceOf(first.address)).toBe(0n);
  });

  it("pay different memos in one ledger, and the account bears the fees", async () => {
    const receiver = (await newAccount()).publicKey();
    const before = await account().funds(hot, coin, 1, signal);
    const prepared = [
      await prepareLent(first, "7", [[receiver, 10n]]),
      await prepareLent(second, "8", [
        [receiver, 20n],
        [receiver, 30n],
      ]),
    ];
    const raws = prepared.map(({ raw }) => raw);
    const send = () => present(lending.account, "an account").broadcastEach(raws, signal);
    expect(await send()).toEqual([{ kind: "accepted" }, { kind: "accepted" }]);
    expect(await send()).toEqual([{ kind: "alreadyKnown" }, { kind: "alreadyKnown" }]);
    await close();
    const tip = await site.reached().reader.tip(signal);
    for (const { draft, txid } of prepared)
      expect(await lending.status(txid, draft, signal)).toMatchObject({
        kind: "mined",
        txid,
        hasSucceeded: true,
        feeUnits: draft.feeUnits,
        block: { hash: tip.hash },
      });
    const after = await account().funds(hot, coin, 1, signal);
    // Two operations and four, with the transactions around them.
    expect(before.latest - after.latest).toBe(60n + 600n);
    const content = present(await site.reached().reader.readBlock(tip, signal), "the ledger");
    expect(content.transfers.map(({ to }) => to)).toEqual([
      `${receiver}:7`,
      `${receiver}:8`,
      `${receiver}:8`,
    ]);
    const ours = content.spends.transactionsFrom(new Set([hot]));
    expect(ours.map(({ txid, sender, feeUnits }) => ({ txid, sender, feeUnits }))).toEqual(
      prepared.map(({ txid, draft: { feeUnits } }) => ({ txid, sender: hot, feeUnits })),
    );
    // Each transaction is known by the number that it used.
    expect(ours.map(({ claims }) => claims[0])).toEqual(
      prepared.map(({ draft }) => draft.claims[0]),
    );
    expect(await send()).toEqual([{ kind: "alreadyKnown" }, { kind: "alreadyKnown" }]);
  });

  it("leave the numbers of a failed batch for what pays the others again", async () => {
    const receiver = await newAccount();
    const closing = await newAccount();
    const { draft, raw, txid } = await prepareLent(first, "9", [
      [receiver.publicKey(), 10n],
      [closing.publicKey(), 20n],
    ]);
    await execute(closing, [Operation.accountMerge({ destination: receiver.publicKey() })]);
    expect(await lending.broadcast(raw, signal)).toEqual({ kind: "accepted" });
    await close();
    const status = await lending.status(txid, draft, signal);
    expect(status).toMatchObject({
      kind: "mined",
      hasSucceeded: false,
      feeUnits: 400n,
      payments: ["undone", "refused"],
    });
    // What pays again has the second number, and can never be valid together with the first transaction.
    const again = await prepareLent(first, "9", [[receiver.publicKey(), 10n]]);
    expect(again.draft.claims).toEqual([draft.claims[1]]);
    expect(await lending.broadcast(again.raw, signal)).toEqual({ kind: "accepted" });
    await close();
    expect(await lending.status(again.txid, again.draft, signal)).toMatchObject({
      kind: "mined",
      hasSucceeded: true,
    });
    expect(await lending.broadcast(raw, signal)).toMatchObject({ kind: "alreadyKnown" });
  });

  it("prove that a lost transaction expired, and lend its number again", async () => {
    const receiver = (await newAccount()).publicKey();
    const lost = await prepareLent(second, "10", [[receiver, 10n]]);
    await command("/swallow-broadcasts", { count: 1 });
    expect(await lending.broadcast(lost.raw, signal)).toEqual({ kind: "accepted" });
    await close(validitySeconds + 1);
    const tip = await site.reached().reader.tip(signal);
    expect(await lending.status(lost.txid, lost.draft, signal)).toEqual({ kind: "unknown" });
    expect(await present(lending.isMissingUpTo, "expiry")(lost.txid, lost.draft, tip, signal)).toBe(
      true,
    );
    const again = await prepareLent(second, "10", [[receiver, 10n]]);
    expect(again.draft.claims).toEqual(lost.draft.claims);
    expect(await lending.broadcast(again.raw, signal)).toEqual({ kind: "accepted" });
    await close();
    expect((await lending.status(lost.txid, lost.draft, signal)).kind).toBe("conflicted");
  });

  describe.each([1, 0])("lowered to %d", (count) => {
    it("are found for what was open: it is drafted again, and what they left is paid again", async () => {
      const channel = present(last, "a channel");
      const receiver = (await newAccount()).publicKey();
      const lowered = createStellarWriter({ ...site.options(), channels: channelsLending(count) });
      expect(lowered.account?.lenders?.count ?? 0).toBe(count);
      const lost = await prepareLent(channel, "11", [[receiver, 10n]]);
      await command("/swallow-broadcasts", { count: 1 });
      expect(await lending.broadcast(lost.raw, signal)).toEqual({ kind: "accepted" });
      await close(validitySeconds + 1);
      const payments = [
        { destination: named(receiver, "11"), amount: { units: 10n, currency: coin } },
      ];
      const { next } = await nextOf(channel);
      const lent = { sequence: next, lender: channel.address };
      const outcome = await lowered.draft(
        {
          payments,
          funds: { kind: "account", address: hot, ...lent },
          feeTarget: null,
          feeCeiling: 10_000n,
          replaces: lost.draft,
        },
        signal,
      );
      if (outcome.kind !== "draft") throw new Error(outcome.kind);
      expect(outcome.draft.claims).toEqual(lost.draft.claims);
      await includes(outcome.draft, payments);

      const [again] = await present(lowered.account?.batching, "batches").draftEach(
        hot,
        [{ payments, feeTarget: null, lender: channel.address }],
        { units: 10_000n },
        signal,
      );
      if (again?.kind !== "draft") throw new Error(again?.kind);
      await includes(again.withSequence(next + 1n, undefined, channel.address), payments);
    });
  });

  it("are nothing but the accounts of their key", () => {
    expect(channelsLending(1).find(present(last, "a channel").address)).toEqual(last);
    expect(channelsLending(channelCount).find(first.address)).toEqual(first);
    expect(channelsLending(channelCount).find(hot)).toBeNull();
  });
});
