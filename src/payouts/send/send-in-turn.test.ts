import { beforeEach, describe, expect, it } from "vitest";
import { readBlock } from "../../../test/support/block-reading.ts";
import { useDatabase } from "../../../test/support/database.ts";
import { emptyDatabase } from "../../../test/support/database-backup.ts";
import {
  askForPayout,
  coinId,
  createPayoutSite,
  floatUnits,
  type PayoutSite,
  sendContext,
} from "../../../test/support/payout-site.ts";
import { systemAccount, walletAccount } from "../../ledger/ledger-account.ts";
import { post } from "../../ledger/post.ts";
import { createPayoutPipeline } from "./run-payouts.ts";

/* However many payouts wait for funds, one that can be paid is paid; on a simulated chain with the real database. */

const database = useDatabase();
const { db, sql } = database;
const { signal } = new AbortController();
/** Payouts considered together: one pass has room for at most twice as many. */
const examineMax = 3;

beforeEach(() => emptyDatabase(database));

/** A deployment that owes its wallet much more than it holds on the chain. */
async function arrange(funding: "coins" | "account"): Promise<PayoutSite> {
  const site = await createPayoutSite(database, { funding, confirmations: 1 });
  while (await readBlock(site, db));
  const { accountId, wallets, clock } = site;
  const debit = systemAccount("equity", coinId);
  const credit = walletAccount(wallets.get(coinId) ?? "", "available");
  const owed = { debit, credit, currency: coinId, units: 100n * floatUnits };
  const entry = { accountId, cause: "test-float", postings: [owed] };
  await db.transaction((tx) => post(tx, [entry], clock.now()));
  return site;
}

async function ask(site: PayoutSite, count: number, units: bigint): Promise<void> {
  for (let number = 0; number < count; number += 1)
    await askForPayout(site, { number, currency: coinId, units, feeUnits: 20n });
  site.clock.advance(5);
}

function pipelineOf(site: PayoutSite, inFlightMax = 4): () => Promise<void> {
  const parts = { db, writer: site.node.writer, signer: site.signer };
  const sending = {
    batchMax: 2,
    gatherSeconds: 1,
    inFlightMax,
    examineMax: examineMax,
    setsUpBatching: true,
  };
  const pipeline = createPayoutPipeline({ ...sendContext(site, parts), sending });
  return () => pipeline(signal);
}

async function paid(): Promise<readonly number[]> {
  const rows = await sql<{ id: string }>("select id from payout where stage <> 'held' order by id");
  return rows.map(({ id }) => Number(id));
}

const tooMuch = 2n * floatUnits;

describe("payouts that wait for funds", () => {
  it.each(["coins", "account"] as const)(
    "pays a payout behind more unpayable ones than a pass considers: %s",
    async (funding) => {
      const site = await arrange(funding);
      await ask(site, 4 * examineMax, tooMuch);
      await ask(site, 1, 1_000n);
      const run = pipelineOf(site);
      // Every pass considers the oldest and as many of the others; the thirteenth is in the fourth part.
      for (let pass = 0; pass < 3; pass += 1) {
        await run();
        expect(await paid()).toEqual([]);
      }
      await run();
      expect(await paid()).toEqual([13]);
      // Then again from the first of the others.
      await sql("update payout set paid_units = 1000, units = 1000 where id = 4");
      await run();
      expect(await paid()).toEqual([4, 13]);
    },
  );

  it.each([
    ["coins", [1, 2, 3, 4, 5, 6, 7, 8]],
    // There is room for one more.
    ["account", [1, 4, 5, 6]],
  ] as const)("still sends the oldest payable ones first: %s", async (funding, then) => {
    const site = await arrange(funding);
    await ask(site, examineMax, tooMuch);
    await ask(site, examineMax + 2, 1_000n);
    const run = pipelineOf(site);
    await run();
    expect(await paid()).toEqual([4, 5, 6]);
    await sql("update payout set paid_units = 1000, units = 1000 where id <= 3");
    await run();
    expect(await paid()).toEqual(then);
  });

  it("keeps the turn of payouts for which there was no room", async () => {
    const site = await arrange("account");
    await ask(site, examineMax, tooMuch);
    await ask(site, 5, 1_000n);
    const run = pipelineOf(site, 2);
    await run();
    expect(await paid()).toEqual([4, 5]);
    await run();
    expect(await paid()).toEqual([4, 5]);
    for (let block = 0; block < 2; block += 1) {
      site.chain.mine();
      while (await readBlock(site, db));
      await run();
    }
    expect(await paid()).toEqual([4, 5, 6, 7, 8]);
  });
});
