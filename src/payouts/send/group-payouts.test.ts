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
} from "../../../test/support/payout-site.ts";
import type { AccountBatching, ChainWriter } from "../../chains/paying-port.ts";
import { present } from "../../platform/kernel/assert.ts";
import { createPayoutPipeline } from "./run-payouts.ts";

/* When an account pays several payouts together: once it is set up, as long as their accounts let them wait, and who is paid alone. */

const database = useDatabase();
const { db, sql } = database;
const { signal } = new AbortController();

beforeEach(() => emptyDatabase(database));

const independent: Batches = { paymentsMax: 4, isAtomic: false };

async function arrange(payouts: number, batches: Batches): Promise<PayoutSite> {
  const options = { funding: "account", confirmations: 1, batches, batchMax: null } as const;
  const site = await createPayoutSite(database, options);
  while (await readBlock(site, db));
  await sql("update wallet_balance set available = available + $1", [floatUnits]);
  for (let number = 0; number < payouts; number += 1)
    await askForPayout(site, { number, currency: coinId, units: 1_000n, feeUnits: 20n });
  site.clock.advance(5);
  return site;
}

function pipelineOf(
  site: PayoutSite,
  {
    change = {},
    setsUpBatching = true,
  }: { readonly change?: Partial<AccountBatching>; readonly setsUpBatching?: boolean } = {},
): () => Promise<void> {
  const { writer } = site.node;
  const account = present(writer.account, "accounts");
  const batching = { ...present(account.batching, "batches"), ...change };
  const changed: ChainWriter = { ...writer, account: { ...account, batching } };
  const context = sendContext(site, { db, writer: changed, signer: site.signer });
  const sending = { ...context.sending, setsUpBatching };
  const pipeline = createPayoutPipeline({ ...context, sending });
  return () => pipeline(signal);
}

/** Each spend's kind and how many payouts it carries. */
async function spends(): Promise<string> {
  const rows = await sql<{ what: string }>(
    `select s.kind || ' ' || count(p.id) as what from spend s left join payout p on p.spend_id = s.id
     group by s.id order by s.id`,
  );
  return rows.map(({ what }) => what).join(", ");
}

async function mine(site: PayoutSite): Promise<void> {
  site.chain.mine();
  while (await readBlock(site, db));
  site.clock.advance(5);
}

describe("an account that has to be set up for batches", () => {
  const needsSetUp = { ...independent, needsSetUp: true };

  it("is set up once when several payouts wait, which then share a transaction", async () => {
    const site = await arrange(3, needsSetUp);
    const pass = pipelineOf(site);
    await pass();
    await pass();
    expect(await spends()).toBe("gap 0");
    await mine(site);
    await pass();
    expect(await spends()).toBe("gap 0, payout 3");
    await mine(site);
    const paid = site.chain.blocks().at(-1)?.applied ?? [];
    expect(paid.map(({ transaction }) => transaction.outputs.length)).toEqual([3]);
  });

  it("first has all of its transactions in blocks", async () => {
    const site = await arrange(1, needsSetUp);
    const pass = pipelineOf(site);
    await pass();
    expect(await spends()).toBe("payout 1");
    for (const number of [1, 2])
      await askForPayout(site, { number, currency: coinId, units: 1_000n, feeUnits: 20n });
    await pass();
    expect(await spends()).toBe("payout 1");
    await mine(site);
    await pass();
    expect(await spends()).toBe("payout 1, gap 0");
  });

  it("pays singly where it may not be set up, and where set-ups change nothing", async () => {
    const site = await arrange(2, needsSetUp);
    const never: Partial<AccountBatching> = {
      state: () => Promise.resolve({ kind: "needsSetUp" }),
    };
    const pass = pipelineOf(site, { change: never });
    for (let number = 0; number < 3; number += 1) {
      await pass();
      await mine(site);
    }
    expect(await spends()).toBe("gap 0, gap 0, gap 0");
    await pass();
    expect(await spends()).toBe("gap 0, gap 0, gap 0, payout 1, payout 1");
    await emptyDatabase(database);
    const other = await arrange(2, needsSetUp);
    await pipelineOf(other, { setsUpBatching: false })();
    expect(await spends()).toBe("payout 1, payout 1");
  });
});

describe("payouts that may wait for others", () => {
  it("leave when their account's time is over, or when the transaction is full", async () => {
    const site = await arrange(3, independent);
    await sql("update account set payout_batch_seconds = 60");
    const pass = pipelineOf(site);
    await pass();
    expect(await spends()).toBe("");
    await askForPayout(site, { number: 3, currency: coinId, units: 1_000n, feeUnits: 20n });
    await pass();
    expect(await spends()).toBe("payout 4");
    await askForPayout(site, { number: 4, currency: coinId, units: 1_000n, feeUnits: 20n });
    await pass();
    site.clock.advance(59);
    await pass();
    expect(await spends()).toBe("payout 4");
    site.clock.advance(1);
    await pass();
    expect(await spends()).toBe("payout 4, payout 1");
  });

  it("do not wait where they are paid alone, and free what they reserved", async () => {
    const site = await arrange(3, independent);
    await sql("update account set payout_batch_seconds = 60");
    const alone = receiverOf(site, 2);
    const pass = pipelineOf(site, {
      change: {
        keysOf: (_address, payments) =>
          Promise.resolve(
            payments.map(({ destination }) => (destination.address === alone ? null : "shared")),
          ),
      },
    });
    await pass();
    expect(await spends()).toBe("payout 1");
    expect(await sql("select id from payout where stage = 'held'")).toHaveLength(2);
  });
});

describe("an account of which nodes keep one transaction", () => {
  it("leaves the last place to a transaction of several, also after payouts that are paid alone", async () => {
    const site = await arrange(5, independent);
    const shared = new Set([receiverOf(site, 3), receiverOf(site, 4)]);
    const pass = pipelineOf(site, {
      change: {
        state: () => Promise.resolve({ kind: "ready", pendingMax: 1 }),
        keysOf: (_address, payments) =>
          Promise.resolve(
            payments.map(({ destination }) => (shared.has(destination.address) ? "shared" : null)),
          ),
      },
    });
    await pass();
    expect(await spends()).toBe("payout 1, payout 2");
    await mine(site);
    await pass();
    expect(await spends()).toBe("payout 1, payout 2, payout 1, payout 1");
  });
});
