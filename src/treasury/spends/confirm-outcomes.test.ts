import { beforeEach, describe, expect, it } from "vitest";
import { readBlock } from "../../../test/support/block-reading.ts";
import { useDatabase } from "../../../test/support/database.ts";
import { emptyDatabase } from "../../../test/support/database-backup.ts";
import type { Batches } from "../../../test/support/paying-chain.ts";
import {
  askForPayout,
  coinId,
  createPayoutSite,
  floatUnits,
  type PayoutSite,
  receiverOf,
  sendContext,
  simulatedChainName,
  tokenId,
} from "../../../test/support/payout-site.ts";
import type { TransactionReceipt } from "../../chains/port.ts";
import { createPayoutPipeline } from "../../payouts/send/run-payouts.ts";
import { silentLogger } from "../../platform/kernel/logger.ts";
import { readWaitingOutcomes } from "../../reports/operations/chain.store.ts";
import { type ConfirmOutcomesContext, confirmOutcomes } from "./confirm-outcomes.ts";

/* Our own transactions at full depth, on a simulated chain with the real database; each test scripts the nodes' answers. */

const database = useDatabase();
const { db, sql } = database;
const { signal } = new AbortController();
const paid = 1_000n;

beforeEach(() => emptyDatabase(database));

type SecondOpinion = ConfirmOutcomesContext["secondOpinion"];

const secondOpinion = (say: (txid: string) => TransactionReceipt[]): SecondOpinion => ({
  chain: simulatedChainName,
  confirmReceipts: (_block, transactions) =>
    Promise.resolve(transactions.flatMap(({ txid }) => say(txid))),
});
const disagreeing = secondOpinion(() => []);
const agreeing = (hasSucceeded: boolean): SecondOpinion =>
  secondOpinion((txid) => [{ txid, hasSucceeded, feeUnits: 7n }]);

/** A deployment whose token payouts, each in its own transaction, are two blocks deep. */
async function arrange(
  nodes: SecondOpinion,
  options: { isIdle?: boolean; payouts?: number; batches?: Batches } = {},
) {
  const { isIdle = false, payouts = 1, batches = null } = options;
  const site = await createPayoutSite(database, { funding: "account", confirmations: 2, batches });
  site.chain.mine();
  await follow(site, nodes);
  for (let number = 0; number < payouts; number += 1) {
    if (isIdle) site.chain.tokenBehaviors.set(receiverOf(site, number), "idle");
    await askForPayout(site, { number, currency: tokenId, units: paid, feeUnits: 20n });
  }
  site.clock.advance(5);
  const { node, signer } = site;
  await createPayoutPipeline(sendContext(site, { db, writer: node.writer, signer }))(signal);
  await mine(site, nodes);
  await mine(site, nodes);
  return site;
}

async function follow(site: PayoutSite, nodes: SecondOpinion): Promise<void> {
  while (await readBlock(site, db, nodes));
}

async function mine(site: PayoutSite, nodes: SecondOpinion): Promise<void> {
  site.chain.mine();
  await follow(site, nodes);
}

function reviewBy({ clock, ...site }: PayoutSite, nodes: SecondOpinion, listener = site.listener) {
  const context = { db, clock, listener, secondOpinion: nodes, logger: silentLogger };
  return confirmOutcomes(context, signal);
}

async function standing() {
  const payouts = await sql<{ stage: string; spend: string }>(
    "select p.stage, s.state as spend from payout p join spend s on s.id = p.spend_id order by p.id",
  );
  const [wallet] = await sql<{ available: bigint; held: bigint }>(
    "select available, held from wallet_balance b join wallet w on w.id = b.wallet_id where w.currency = $1",
    [tokenId],
  );
  const [fees] = await sql<{ units: bigint }>(
    `select coalesce(sum(case when debit = $1 then units else -units end), 0) as units
     from posting where $1 in (debit, credit) and cause like 'spend:%'`,
    [`chain/${coinId}`],
  );
  return { payouts, wallet, burnt: -(fees?.units ?? 0n) };
}

const paidOut = { available: floatUnits - paid, held: 0n };
const kept = { available: floatUnits, held: 0n };

describe("a transaction that a node reported as successful", () => {
  it("is final at full depth when the nodes confirm it, and costs the fee that they agree on", async () => {
    await arrange(agreeing(true));
    const over = { stage: "confirmed", spend: "confirmed" };
    expect(await standing()).toEqual({ payouts: [over], wallet: paidOut, burnt: 7n });
    expect(await readWaitingOutcomes(db)).toEqual([]);
  });

  it("keeps the fee of its own block when the nodes agree on everything but the fee", async () => {
    const site = await arrange(disagreeing);
    const { burnt } = await standing();
    expect(burnt).toBeGreaterThan(0n);
    await reviewBy(
      site,
      secondOpinion((txid) => [{ txid, hasSucceeded: true, feeUnits: null }]),
    );
    const over = { stage: "confirmed", spend: "confirmed" };
    expect(await standing()).toEqual({ payouts: [over], wallet: paidOut, burnt });
  });

  it("fails at full depth when the nodes say that it was reverted, and its money is released", async () => {
    const site = await arrange(agreeing(false));
    const failed = { payouts: [{ stage: "failed", spend: "failed" }], wallet: kept, burnt: 7n };
    expect(await standing()).toEqual(failed);
    await mine(site, agreeing(true));
    expect(await standing()).toEqual(failed);
  });

  it("stays included, and is counted as waiting, however deep it gets while the nodes disagree", async () => {
    const site = await arrange(disagreeing);
    await mine(site, disagreeing);
    const { payouts, wallet } = await standing();
    expect(payouts).toEqual([{ stage: "included", spend: "included" }]);
    expect(wallet).toEqual(paidOut);
    expect(await readWaitingOutcomes(db)).toMatchObject([
      { chain: simulatedChainName, count: "1" },
    ]);
    await reviewBy(site, agreeing(true));
    expect((await standing()).payouts).toEqual([{ stage: "confirmed", spend: "confirmed" }]);
  });

  it("does not hold up others on which the nodes agree, and asks about all of one block at once", async () => {
    const questions: number[] = [];
    let first = "";
    const divided: SecondOpinion = {
      chain: simulatedChainName,
      confirmReceipts: (_block, transactions) => {
        questions.push(transactions.length);
        first ||= transactions[0]?.txid ?? "";
        const others = transactions.filter(({ txid }) => txid !== first);
        return Promise.resolve(
          others.map(({ txid }) => ({ txid, hasSucceeded: true, feeUnits: 7n })),
        );
      },
    };
    await arrange(divided, { payouts: 3 });
    expect(questions).toEqual([3]);
    expect((await standing()).payouts.map(({ spend }) => spend).toSorted()).toEqual([
      ...["confirmed", "confirmed", "included"],
    ]);
  });

  it.each([true, false])(
    "is asked about again after a crash before its outcome is booked (it succeeded: %s)",
    async (hasSucceeded) => {
      const site = await arrange(disagreeing);
      const before = await standing();
      const crash = () => Promise.reject(new Error("the process ends"));
      const dying = { ...site.listener, confirmed: crash, failed: crash };
      await expect(reviewBy(site, agreeing(hasSucceeded), dying)).rejects.toThrow("process ends");
      expect(await standing()).toEqual(before);
      await reviewBy(site, agreeing(hasSucceeded));
      const after = await standing();
      const state = hasSucceeded ? "confirmed" : "failed";
      expect(after.payouts).toEqual([{ stage: state, spend: state }]);
      expect(after.wallet).toEqual(hasSucceeded ? paidOut : kept);
      await reviewBy(site, agreeing(!hasSucceeded));
      expect(await standing()).toEqual(after);
    },
  );
});

describe("a transaction of several payments", () => {
  it("fails those that the nodes say were refused, even if a node first reported all as made", async () => {
    const batches = { paymentsMax: 2, isAtomic: false };
    const site = await arrange(disagreeing, { payouts: 2, batches });
    const included = { stage: "included", spend: "included" };
    expect((await standing()).payouts).toEqual([included, included]);
    await reviewBy(
      site,
      secondOpinion((txid) => [
        { txid, hasSucceeded: true, feeUnits: 7n, payments: ["made", "refused"] },
      ]),
    );
    expect(await standing()).toEqual({
      payouts: [
        { stage: "confirmed", spend: "confirmed" },
        { stage: "failed", spend: "confirmed" },
      ],
      wallet: paidOut,
      burnt: 7n,
    });
  });
});

describe("a transaction that a node reported as failed", () => {
  it("has paid if the nodes report at full depth that it succeeded", async () => {
    await arrange(agreeing(true), { isIdle: true });
    const over = { stage: "confirmed", spend: "confirmed" };
    expect(await standing()).toEqual({ payouts: [over], wallet: paidOut, burnt: 7n });
  });

  it("keeps its money held while the nodes disagree", async () => {
    await arrange(disagreeing, { isIdle: true });
    const { payouts, wallet } = await standing();
    expect(payouts).toEqual([{ stage: "sending", spend: "included" }]);
    expect(wallet).toEqual({ available: floatUnits - paid, held: paid });
  });
});
