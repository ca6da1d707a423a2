import { beforeEach, expect, it } from "vitest";
import { readBlock } from "../../../test/support/block-reading.ts";
import { useDatabase } from "../../../test/support/database.ts";
import { emptyDatabase } from "../../../test/support/database-backup.ts";
import {
  askForPayout,
  coinId,
  createPayoutSite,
  type PayoutSite,
  sendContext,
} from "../../../test/support/payout-site.ts";
import type { Funds } from "../../chains/paying-port.ts";
import { type ChangeMemory, dropUsedChange, findCoins } from "./find-coins.ts";
import { createPayoutPipeline } from "./run-payouts.ts";
import type { SendContext } from "./send-context.ts";

/* How a transaction is funded and where its change goes, on a simulated chain with the real database. */

const database = useDatabase();
const { db, sql } = database;
const { signal } = new AbortController();
const confirmations = 2;

beforeEach(() => emptyDatabase(database));

/** A deployment with this many available coins and no others. */
async function arrange(coins: number): Promise<PayoutSite> {
  const site = await createPayoutSite(database, { funding: "coins", confirmations });
  await mine(site, confirmations);
  await sql(
    `update coin set spent_height = 0 where outpoint not in (select outpoint from coin order by outpoint limit $1)`,
    [coins],
  );
  return site;
}

async function mine(site: PayoutSite, blocks: number): Promise<void> {
  for (let block = 0; block < blocks; block += 1) site.chain.mine();
  while (await readBlock(site, db));
}

function contextOf(site: PayoutSite, writer = site.node.writer): SendContext {
  return sendContext(site, { db, writer, signer: site.signer });
}

async function find(site: PayoutSite, memory: ChangeMemory, payments: number) {
  const funds = await findCoins(contextOf(site), memory, payments);
  if (funds === null) return null;
  const { change, coins, extraChange: furtherChange = [] } = funds;
  return { coins: coins.length, keys: [change, ...furtherChange].map(({ keyIndex }) => keyIndex) };
}

it.each([
  [1, 2, 4],
  [1, 1, 1],
  [5, 20, 4],
  [6, 20, 3],
  [7, 20, 2],
  [8, 20, 1],
  [25, 20, 1],
])(
  "offers, for %i coins and %i payments, %i change addresses",
  async (coins, payments, offered) => {
    const site = await arrange(coins);
    const found = await find(site, { change: null }, payments);
    expect(found?.coins).toBe(coins);
    expect(new Set(found?.keys).size).toBe(offered);
  },
);

it("offers nothing and reserves no change address without coins", async () => {
  const site = await arrange(0);
  expect(await find(site, { change: null }, 5)).toBeNull();
  expect(
    await sql("select 1 from treasury_address where issued_at is not null and key_index > 0"),
  ).toEqual([]);
});

it("offers an unused change address again, and a used one never", async () => {
  const site = await arrange(1);
  const memory: ChangeMemory = { change: null };
  const first = await find(site, memory, 5);
  const keys = first?.keys ?? [];
  expect(await find(site, memory, 5)).toEqual(first);
  expect((await find(site, memory, 1))?.keys).toEqual(keys.slice(0, 1));
  dropUsedChange(memory, 2);
  const second = await find(site, memory, 5);
  expect(second?.keys.slice(0, 2)).toEqual(keys.slice(2));
  expect(second?.keys.filter((key) => keys.slice(0, 2).includes(key))).toEqual([]);
  // A transaction without change: its request still names the first address, for a replacement that needs it.
  dropUsedChange(memory, 0);
  expect((await find(site, memory, 5))?.keys[0]).toBe(second?.keys[1]);
});

/** How many blocks it takes to pay nine payouts (three transactions), six times, starting from one coin. */
async function blocksToPay(site: PayoutSite, context: SendContext): Promise<number> {
  const run = createPayoutPipeline(context);
  const counts = { blocks: 6, each: 9 };
  for (let block = 1; block < 60; block += 1) {
    if (block <= counts.blocks) {
      for (let at = 0; at < counts.each; at += 1) {
        const number = block * 100 + at;
        await askForPayout(site, { number, currency: coinId, units: 10n, feeUnits: 20n });
      }
    }
    site.clock.advance(5);
    await run(signal);
    await mine(site, 1);
    const waiting = await sql("select 1 from payout where stage in ('held', 'sending') limit 1");
    if (block >= counts.blocks && waiting.length === 0) return block;
  }
  throw new Error("they are never paid");
}

it("reaches full speed soon from a wallet that started with a single coin", async () => {
  const site = await arrange(1);
  const blocks = await blocksToPay(site, contextOf(site));

  await emptyDatabase(database);
  const other = await arrange(1);
  const { writer } = other.node;
  const whole = await blocksToPay(
    other,
    contextOf(other, {
      ...writer,
      draft: (request, stop) => {
        const funds: Funds =
          request.funds.kind === "coins"
            ? { kind: "coins", coins: request.funds.coins, change: request.funds.change }
            : request.funds;
        return writer.draft({ ...request, funds }, stop);
      },
    }),
  );
  // Eighteen transactions: each waits until the change of the previous one has its confirmations.
  expect({ split: blocks, whole }).toEqual({ split: 6, whole: 35 });
}, 900_000);
