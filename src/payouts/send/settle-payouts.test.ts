import { beforeEach, describe, expect, it } from "vitest";
import { readBlock } from "../../../test/support/block-reading.ts";
import { useDatabase } from "../../../test/support/database.ts";
import { emptyDatabase } from "../../../test/support/database-backup.ts";
import type { Funding } from "../../../test/support/paying-chain.ts";
import {
  askForPayout,
  coinId,
  createPayoutSite,
  type PayoutSite,
  sendContext,
  simulatedChainName,
  tokenId,
} from "../../../test/support/payout-site.ts";
import type { PayeeAddressing } from "../../chains/port.ts";
import { systemRandom } from "../../platform/kernel/system-random.ts";
import { withdrawSpend } from "../../treasury/spends/withdraw-spend.ts";
import type { Payout } from "../payout.ts";
import { createPayoutPipeline } from "./run-payouts.ts";
import { type OutgoingTransaction, type SettleContext, settlePayouts } from "./settle-payouts.ts";

const database = useDatabase();
const { db, sql } = database;

beforeEach(() => emptyDatabase(database));

type Addressing = Pick<PayeeAddressing, "parse" | "watchKey">;

/** The same addresses, with tags. */
const withTags = ({ parse }: Addressing): Addressing => ({
  parse: (address, tag) => {
    const plain = parse(address, null);
    return plain === null ? null : { ...plain, tag };
  },
  watchKey: ({ address, tag }) => (tag === null ? address : `${address}:${tag}`),
});

/** A deployment with held payouts of 1,000 and 2,000 units, whose chain has a transaction that it has lost. */
async function arrange(currency = coinId, funding: Funding = "coins") {
  const site = await createPayoutSite(database, { funding, confirmations: 1 });
  site.chain.mine();
  while (await readBlock(site, db));
  const [one, two] = [
    await askForPayout(site, { number: 1, currency, units: 1_000n, feeUnits: 20n }),
    await askForPayout(site, { number: 2, currency, units: 2_000n, feeUnits: 20n }),
  ] as const;
  const { height, hash } = site.chain.tip();
  const created = (payouts: readonly Payout[]): OutgoingTransaction => ({
    chain: simulatedChainName,
    txid: "lost",
    sender: null,
    claims: ["coin:0"],
    block: { height, hash },
    feeUnits: 40n,
    payments: payouts.map(({ address, paidUnits }) => ({
      to: address ?? "",
      address: address ?? "",
      currency,
      units: paidUnits,
    })),
  });
  const settle = (
    transaction: OutgoingTransaction,
    ids: readonly string[],
    addressing: Addressing = site.addressing,
  ) => {
    const context = { ...contextOf(site), addressingOf: () => addressing };
    return db.transaction((tx) => settlePayouts(tx, context, transaction, ids, site.clock.now()));
  };
  return { site, one, two, made: created, settle };
}

function contextOf({ currencies, refunds, listener, addressing }: PayoutSite): SettleContext {
  return {
    currencies,
    refunds,
    listener,
    random: systemRandom,
    withdrawFromSpend: (tx, spendId, now) => withdrawSpend(tx, listener, spendId, now),
    addressingOf: () => addressing,
  };
}

const stages = async () =>
  (await sql<{ stage: string }>("select stage from payout order by id")).map(({ stage }) => stage);

const operatorUnits = async (account: string) =>
  (
    await sql<{ units: bigint }>(
      `select coalesce(sum(case when debit = $1 then units else -units end), 0) as units
       from posting where $1 in (debit, credit) and cause like 'spend:%'`,
      [`${account}/${coinId}`],
    )
  )[0]?.units;

describe("settlePayouts", () => {
  it("settles several payouts with one transaction and burns its fee once", async () => {
    const { one, two, made, settle } = await arrange();
    const settled = await settle(made([one, two]), [one.id, two.id]);
    expect(settled.map(({ id }) => id)).toEqual([one.id, two.id]);
    expect(await stages()).toEqual(["confirmed", "confirmed"]);
    expect(await sql("select distinct spend_id from payout")).toHaveLength(1);
    expect(await operatorUnits("fees")).toBe(40n);
  });

  it("settles with a transaction that claims nothing, as one of its sender", async () => {
    const { site, one, made, settle } = await arrange(coinId, "expiring");
    await settle({ ...made([one]), sender: site.hot, claims: [] }, [one.id]);
    expect(await stages()).toEqual(["confirmed", "held"]);
    expect(await sql("select sender, state from spend")).toEqual([
      { sender: site.hot, state: "confirmed" },
    ]);
    expect(await sql("select from spend_claim")).toEqual([]);
  });

  it("books coins that it paid beside these payouts as the operator's loss", async () => {
    const { one, two, made, settle } = await arrange();
    await settle(made([one, two]), [one.id]);
    expect(await stages()).toEqual(["confirmed", "held"]);
    expect(await operatorUnits("equity")).toBe(2_000n);
  });

  it("needs a payment of its own for each of several payouts with the same receiver and amount", async () => {
    const { site, one, made, settle } = await arrange();
    const request = { number: 1, currency: coinId, units: 1_000n, feeUnits: 20n };
    const twin = await askForPayout(site, request);
    const ids = [one.id, twin.id];
    await expect(settle(made([one]), ids)).rejects.toThrow(`didn't pay payout ${twin.id}`);
    expect(await stages()).toEqual(["held", "held", "held"]);
    await settle(made([one, twin]), ids);
    expect(await stages()).toEqual(["confirmed", "held", "confirmed"]);
  });

  it("tells payouts of the same address and amount apart by their tags", async () => {
    const { site, one, made, settle } = await arrange();
    const request = { number: 1, currency: coinId, units: 1_000n, feeUnits: 20n };
    const twin = await askForPayout(site, request);
    await sql("update payout set tag = case id when $1 then '111' else '222' end", [one.id]);
    const addressing = withTags(site.addressing);
    const paidTo = (to: string): OutgoingTransaction => {
      const [payment] = made([one]).payments;
      return { ...made([]), payments: [{ ...payment!, to }] };
    };
    const first = paidTo(`${one.address ?? ""}:111`);
    for (const [transaction, id] of [
      [first, twin.id],
      [paidTo(one.address ?? ""), one.id],
    ] as const)
      await expect(settle(transaction, [id], addressing)).rejects.toThrow(
        `didn't pay payout ${id}`,
      );
    expect(await stages()).toEqual(["held", "held", "held"]);
    await settle(first, [one.id], addressing);
    expect(await stages()).toEqual(["confirmed", "held", "held"]);
  });

  it("rejects a payout that the transaction did not pay", async () => {
    const { one, two, made, settle } = await arrange();
    await expect(settle(made([one]), [one.id, two.id])).rejects.toThrow(
      `didn't pay payout ${two.id}`,
    );
    expect(await stages()).toEqual(["held", "held"]);
  });

  it.each([tokenId, null])(
    "rejects a transaction that also paid tokens to others (currency %s)",
    async (currency) => {
      const { one, made, settle } = await arrange();
      const transaction = made([one]);
      const token = { to: "key", address: "elsewhere", currency, units: 5n };
      await expect(
        settle({ ...transaction, payments: [...transaction.payments, token] }, [one.id]),
      ).rejects.toThrow("also paid tokens");
      expect(await stages()).toEqual(["held", "held"]);
    },
  );

  it("believes a person who says whom a transaction with hidden receivers paid, up to its sum", async () => {
    const { site, one, two, made, settle } = await arrange();
    const hidden = (units: bigint): OutgoingTransaction => ({
      ...made([]),
      payments: [{ to: "", address: "", currency: coinId, units }],
    });
    for (const [units, ids, refusal] of [
      [0n, [one.id], "not known how much"],
      [999n, [one.id], `paid less than payout ${one.id}`],
      [2_999n, [one.id, two.id], `paid less than payout ${two.id}`],
      [1_000n, [one.id, two.id], "or it paid no more"],
    ] as const) {
      await expect(settle(hidden(units), ids)).rejects.toThrow(refusal);
      expect(await stages()).toEqual(["held", "held"]);
    }
    await settle(hidden(3_005n), [one.id, two.id]);
    await readBlock(site, db);
    expect(await stages()).toEqual(["confirmed", "confirmed"]);
  });

  it("rejects a payout that a transaction of its own has paid", async () => {
    const { one, made, settle } = await arrange();
    await settle(made([one]), [one.id]);
    await expect(settle({ ...made([one]), txid: "other" }, [one.id])).rejects.toThrow(
      `${one.id} (confirmed)`,
    );
  });

  it("settles a payout on its way only with a transaction that spent its coins, at its confirmation count", async () => {
    const { site, one, made, settle } = await arrange();
    const context = sendContext(site, { db, writer: site.node.writer, signer: site.signer });
    site.clock.advance(5);
    await createPayoutPipeline(context)(new AbortController().signal);
    expect(await stages()).toEqual(["sending", "sending"]);
    const [attempt] = await sql<{ claims: string[] }>(
      "select array(select jsonb_array_elements_text(draft -> 'claims')) as claims from spend_attempt",
    );
    const rival = { ...made([one]), claims: attempt!.claims };
    const refusal = `${one.id} (sending)`;
    await expect(settle(made([one]), [one.id])).rejects.toThrow(refusal);
    await sql("update spend set confirmations = 2");
    await expect(settle(rival, [one.id])).rejects.toThrow(refusal);
    site.chain.mine({ empty: true });
    while (await readBlock(site, db));
    await settle(rival, [one.id]);
    expect(await stages()).toEqual(["confirmed", "sending"]);
    // Only its own transaction was ruled out by then; the other payout shared it.
    const unnamed = () => Promise.resolve({ kind: "conflicted", by: null, block: null } as const);
    await sql(
      `insert into unexplained_spend (chain, txid, claims, payments, block_height, block_hash, seen_at, decided_at)
       values ($1, 'lost', $2, '[]', $3, $4, now(), now())`,
      [simulatedChainName, rival.claims, rival.block!.height, rival.block!.hash],
    );
    site.clock.advance(context.settings.checkAfterSeconds);
    const blind = { ...context, writer: { ...context.writer, status: unnamed } };
    await createPayoutPipeline(blind)(new AbortController().signal);
    expect(await stages()).toEqual(["confirmed", "failed"]);
  });

  it("drafts nothing for a payout that was never approved after a reorg removed its transaction, and pays others", async () => {
    const { site, one, two, made, settle } = await arrange(coinId, "account");
    await sql("update payout set stage = 'waiting', status = 1, approval = null where id = $1", [
      one.id,
    ]);
    await settle({ ...made([one]), sender: site.hot, claims: [`${site.hot}#0`] }, [one.id]);
    site.chain.reorg(1, { forgets: false, mines: false });
    while (await readBlock(site, db));
    expect(await stages()).toEqual(["sending", "held"]);
    const { node, signer } = site;
    const pipeline = createPayoutPipeline(sendContext(site, { db, writer: node.writer, signer }));
    for (let pass = 0; pass < 3; pass += 1) {
      site.clock.advance(61);
      while (await readBlock(site, db));
      await pipeline(new AbortController().signal);
    }
    expect(await sql("select txid from spend_attempt where spend_id = 1")).toEqual([
      { txid: "lost" },
    ]);
    expect(signer.journal.map(({ payoutIds }) => payoutIds)).toContainEqual([two.id]);
  });

  it("rejects ids without a payout", async () => {
    const { one, made, settle } = await arrange();
    await expect(settle(made([one]), [one.id, "999999"])).rejects.toThrow("id of a payout");
  });

  it("rejects a transaction in no block, or in a block that left the best chain", async () => {
    const { one, made, settle } = await arrange();
    const waiting = { ...made([one]), block: null };
    await expect(settle(waiting, [one.id])).rejects.toThrow("not in a block yet");
    const orphaned = { ...made([one]), block: { height: 1, hash: "gone" } };
    await expect(settle(orphaned, [one.id])).rejects.toThrow("A reorg removed");
    expect(await stages()).toEqual(["held", "held"]);
  });
});
