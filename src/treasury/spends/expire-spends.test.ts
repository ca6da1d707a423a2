import { beforeEach, describe, expect, it } from "vitest";
import { readBlock } from "../../../test/support/block-reading.ts";
import { useDatabase } from "../../../test/support/database.ts";
import { emptyDatabase, restoreBackup, takeBackup } from "../../../test/support/database-backup.ts";
import type { JournallingSigner } from "../../../test/support/journalling-signer.ts";
import {
  createPayingNode,
  type PayingFaults,
  signedBy,
} from "../../../test/support/paying-node.ts";
import {
  askForPayout,
  coinId,
  createPayoutSite,
  floatUnits,
  type PayoutSite,
  receiverOf,
  sendContext,
} from "../../../test/support/payout-site.ts";
import type { NodeReader } from "../../chains/chain-adapter.ts";
import { createPayoutPipeline } from "../../payouts/send/run-payouts.ts";
import type { SendContext } from "../../payouts/send/send-context.ts";
import { present } from "../../platform/kernel/assert.ts";
import { silentLogger } from "../../platform/kernel/logger.ts";
import { expireSpends } from "./expire-spends.ts";

/*
 * Payouts whose transactions expire after two minutes and claim nothing, on a simulated chain with the real database, where a
 * block is final at a depth of two.
 */

const database = useDatabase();
const { db, sql } = database;
const { signal } = new AbortController();
const units = 1_000n;
const lifetimeSeconds = 120;

beforeEach(() => emptyDatabase(database));

type Deployment = {
  readonly site: PayoutSite<JournallingSigner>;
  readonly pass: (parts?: Partial<SendContext>) => Promise<void>;
  /** Mines a block and reads the chain. */
  readonly mine: (options?: { readonly empty?: boolean }) => Promise<void>;
  readonly read: () => Promise<void>;
  /** Ends what expired, before it was tried to draft anything again. */
  readonly expire: () => Promise<void>;
};

async function arrange(
  lifetime: { seconds: number } | { blocks: number } = { seconds: lifetimeSeconds },
  options: Pick<Parameters<typeof createPayoutSite>[1], "funding" | "confirmations" | "expires"> = {
    funding: "expiring",
    confirmations: 2,
  },
): Promise<Deployment> {
  const site = await createPayoutSite(database, { ...options, lifetime });
  const read = async (): Promise<void> => {
    while (await readBlock(site, db));
  };
  site.chain.mine();
  await read();
  const context = sendContext(site, { db, writer: site.node.writer, signer: site.signer });
  await askForPayout(site, { number: 0, currency: coinId, units, feeUnits: 20n });
  site.clock.advance(5);
  return {
    site,
    read,
    expire: () => expireSpends(context, signal, new Set()),
    pass: (parts = {}) => createPayoutPipeline({ ...context, ...parts })(signal),
    mine: async (options = {}) => {
      site.chain.mine(options);
      await read();
    },
  };
}

/** Signed and broadcast, but no block gets it. */
async function arrangeSwallowed(
  lifetime?: { seconds: number } | { blocks: number },
): Promise<Deployment> {
  const deployment = await arrange(lifetime);
  deployment.site.faults.broadcast = "dropped";
  await deployment.pass();
  return deployment;
}

/** The validity has ended, and the block after it is final. */
async function outlive({ site, mine }: Deployment): Promise<void> {
  site.clock.advance(lifetimeSeconds);
  await mine();
  await mine();
}

async function standing(): Promise<string> {
  const rows = await sql<{ text: string }>(
    `select p.stage || ', spend ' || coalesce(s.state, '-') as text
     from payout p left join spend s on s.id = p.spend_id order by p.id`,
  );
  return rows.map(({ text }) => text).join("; ");
}

const balance = () => sql("select available, held from wallet_balance order by wallet_id limit 1");
const released = [{ available: floatUnits, held: 0n }];
const held = [{ available: floatUnits - units - 20n, held: units + 20n }];

const received = ({ chain, addressing }: PayoutSite): bigint =>
  chain
    .stateAt(chain.tip().height)
    .balances.get(`${receiverOf({ addressing } as PayoutSite, 0)} ${coinId}`) ?? 0n;

describe("a payout whose broadcast is swallowed", () => {
  it("fails once its expiry is final, and its money returns once", async () => {
    const deployment = await arrangeSwallowed();
    const { site, pass, mine } = deployment;
    expect(await standing()).toBe("sending, spend open");
    site.clock.advance(lifetimeSeconds);
    await mine();
    await pass();
    // The block past its end could still be replaced.
    expect(await standing()).toBe("sending, spend open");
    expect(await balance()).toEqual(held);
    await mine();
    await pass();
    expect(await standing()).toBe("failed, spend dead");
    expect(await balance()).toEqual(released);
    expect(await sql("select message, txid from payout")).toEqual([
      { message: "The network did not include the transaction before it expired", txid: null },
    ]);
    site.faults.broadcast = "fine";
    await pass();
    await mine();
    expect(received(site)).toBe(0n);
    expect(await balance()).toEqual(released);
    const failures = await sql("select from event where trigger = 'failed'");
    expect(failures.length).toBe(1);
  });

  it("fails likewise once the last block that could contain it is final", async () => {
    const { pass, mine } = await arrangeSwallowed({ blocks: 4 });
    for (let block = 0; block < 4; block += 1) await mine();
    await pass();
    expect(await standing()).toBe("sending, spend open");
    await mine();
    await pass();
    expect(await standing()).toBe("failed, spend dead");
    expect(await balance()).toEqual(released);
  });

  it("is not broadcast after its end, and never replaced", async () => {
    const { site, pass } = await arrangeSwallowed();
    site.faults.broadcast = "fine";
    site.clock.advance(lifetimeSeconds);
    await pass();
    expect(site.chain.mempool()).toEqual([]);
    expect(await sql("select number, state from spend_attempt")).toEqual([
      { number: 1, state: "broadcast" },
    ]);
    expect(site.signer.journal.length).toBe(1);
  });

  it("is paid if a block within its validity contains it", async () => {
    const { site, pass, mine } = await arrangeSwallowed();
    site.faults.broadcast = "fine";
    site.clock.advance(lifetimeSeconds - 60);
    await pass();
    await mine();
    await mine();
    await pass();
    site.clock.advance(lifetimeSeconds);
    await mine();
    await mine();
    await pass();
    expect(await standing()).toBe("confirmed, spend confirmed");
    expect(received(site)).toBe(units);
  });

  it("fails and returns its money once if only a block of a lost branch contained it", async () => {
    const deployment = await arrangeSwallowed();
    const { site, pass, mine, read } = deployment;
    site.faults.broadcast = "fine";
    site.clock.advance(60);
    await pass();
    await mine();
    expect(await standing()).toBe("included, spend included");
    site.clock.advance(lifetimeSeconds);
    site.chain.reorg(1, { forgets: true, mines: false });
    await read();
    expect(await standing()).toBe("sending, spend open");
    expect(await balance()).toEqual(held);
    await pass();
    await mine();
    await pass();
    expect(await standing()).toBe("failed, spend dead");
    expect(received(site)).toBe(0n);
    expect(await balance()).toEqual(released);
  });

  it("is pending again if a reorg removes the block that proved its expiry, and is paid once by the other branch", async () => {
    const deployment = await arrangeSwallowed();
    const { site, pass, mine, read } = deployment;
    await outlive(deployment);
    await pass();
    expect(await standing()).toBe("failed, spend dead");
    expect(await balance()).toEqual(released);
    site.chain.reorg(2, { forgets: true, mines: false });
    await read();
    expect(await standing()).toBe("sending, spend open");
    expect(await balance()).toEqual(held);
    const { body } = present(site.signer.journal[0], "what was signed");
    site.chain.reorg(3, { forgets: true, mines: true, brings: [signedBy(body)] });
    await read();
    await mine();
    await pass();
    expect(await standing()).toBe("confirmed, spend confirmed");
    expect(received(site)).toBe(units);
    const triggers = await sql<{ trigger: string }>("select trigger from event order by id");
    expect(triggers.map(({ trigger }) => trigger)).toEqual(["failed", "reversed", "confirmed"]);
  });
});

describe("a second node", () => {
  const nodeOf = (
    { chain }: PayoutSite,
    faults: Partial<PayingFaults> = {},
    writer = createPayingNode(chain, {
      outage: false,
      lag: 0,
      broadcast: "fine",
      ...faults,
    }).writer,
  ): Pick<NodeReader, "node" | "status" | "isMissingUpTo"> => ({
    node: "one of several",
    status: writer.status,
    isMissingUpTo: writer.isMissingUpTo,
  });

  it.each<[string, Partial<PayingFaults>]>([
    ["does not respond", { outage: true }],
    ["has not reached the block", { lag: 3 }],
  ])("that %s keeps an expired payout's money on hold", async (_what, faults) => {
    const deployment = await arrangeSwallowed();
    const { site, pass } = deployment;
    await outlive(deployment);
    await pass({ nodes: [nodeOf(site), nodeOf(site, faults)] });
    expect(await standing()).toBe("sending, spend open");
    expect(await balance()).toEqual(held);
    await pass({ nodes: [nodeOf(site), nodeOf(site, faults), nodeOf(site)] });
    expect(await standing()).toBe("failed, spend dead");
  });

  it("is not needed, but the log says if the only one does not confirm", async () => {
    const deployment = await arrangeSwallowed();
    const { site, pass } = deployment;
    await outlive(deployment);
    const warnings: string[] = [];
    const logger = { ...silentLogger, warn: (message: string) => warnings.push(message) };
    const writer = { ...site.node.writer, isMissingUpTo: () => Promise.resolve(false) };
    await pass({ logger, writer });
    expect(await standing()).toBe("sending, spend open");
    expect(warnings).toEqual(["a node does not confirm that a spend expired"]);
  });

  it("is asked with the draft of each attempt", async () => {
    const deployment = await arrangeSwallowed();
    const { site, pass } = deployment;
    await outlive(deployment);
    const asked: string[] = [];
    const missing = present(site.node.writer.isMissingUpTo, "expiring drafts");
    const isMissingUpTo: typeof missing = (txid, draft, ...rest) => {
      asked.push(`${txid} ${draft.validity?.kind}`);
      return missing(txid, draft, ...rest);
    };
    await pass({ writer: { ...site.node.writer, isMissingUpTo } });
    expect(await standing()).toBe("failed, spend dead");
    const rows = await sql<{ txid: string }>("select txid from spend_attempt");
    expect(asked).toEqual(rows.map(({ txid }) => `${txid} time`));
  });

  it("that has the transaction in a block outweighs one that lacks blocks", async () => {
    const deployment = await arrangeSwallowed();
    const { site, pass } = deployment;
    await outlive(deployment);
    const having = { ...nodeOf(site), isMissingUpTo: () => Promise.resolve(false) };
    await pass({ nodes: [nodeOf(site), having] });
    expect(await standing()).toBe("sending, spend open");
  });
});

describe("a transaction that expires and claims nothing", () => {
  it("is adopted with its validity from the journal, and nothing else is signed beside it", async () => {
    const deployment = await arrange();
    const { site, pass, mine } = deployment;
    const backup = await takeBackup(database);
    site.faults.broadcast = "dropped";
    await pass();
    await restoreBackup(database, backup);
    expect(await standing()).toBe("held, spend -");
    await pass();
    expect(await standing()).toBe("sending, spend open");
    expect(site.signer.journal.length).toBe(1);
    expect(await sql("select sender from spend")).toEqual([{ sender: site.hot }]);
    expect(await sql("select expires_at is not null as expires from spend_attempt")).toEqual([
      { expires: true },
    ]);
    site.clock.advance(lifetimeSeconds);
    await mine();
    await mine();
    await pass();
    expect(await standing()).toBe("failed, spend dead");
    expect(site.signer.journal.length).toBe(1);
    expect(await balance()).toEqual(released);
  });

  it("is not dead if it was in a block before the restored database knew it", async () => {
    const deployment = await arrangeSwallowed();
    const { site, pass } = deployment;
    const { hash, height } = site.chain.tip();
    await sql(
      `insert into unexplained_spend (chain, txid, claims, payments, block_height, block_hash, seen_at)
       select chain, txid, '{}', '[]', $1, $2, created_at from spend_attempt`,
      [height, hash],
    );
    await outlive(deployment);
    await pass();
    expect(await standing()).toBe("sending, spend open");
    await sql("update unexplained_spend set block_height = null, block_hash = null");
    await pass();
    expect(await standing()).toBe("failed, spend dead");
  });

  it("is drafted again instead of signed when the signer was away until it was about to expire", async () => {
    const { site, pass } = await arrange();
    const paused = sendContext(site, { db, writer: site.node.writer, signer: site.signer });
    const arePaused = (): Promise<boolean> => Promise.resolve(true);
    await pass({ payouts: { ...paused.payouts, arePaused } });
    expect(await sql("select state from spend_attempt")).toEqual([{ state: "drafted" }]);
    site.clock.advance(lifetimeSeconds - 19);
    await pass();
    expect(await standing()).toBe("held, spend -");
    expect(site.signer.journal).toEqual([]);
    await pass();
    expect(await standing()).toBe("sending, spend open");
    expect(site.signer.journal.length).toBe(1);
  });

  it("counts among its account's pending transactions, with what it may take", async () => {
    const { site, pass } = await arrange();
    for (let number = 1; number < 6; number += 1)
      await askForPayout(site, { number, currency: coinId, units, feeUnits: 20n });
    await pass();
    // At most four are pending at once.
    expect(await standing()).toBe(
      `${"sending, spend open; ".repeat(4)}held, spend -; held, spend -`,
    );
    expect(await sql("select from spend_claim")).toEqual([]);
    expect(site.chain.mempool().length).toBe(4);
    expect(site.chain.mempool().every(({ claims }) => claims.length === 0)).toBe(true);
  });
});

describe("payouts whose transactions have numbers and expire, on a chain with final blocks", () => {
  const numbered = { funding: "account", confirmations: 1, expires: true } as const;
  const seconds = lifetimeSeconds;

  it("are drafted again with the same numbers, and paid once", async () => {
    const { site, expire, pass, mine } = await arrange({ seconds }, numbered);
    for (const number of [1, 2])
      await askForPayout(site, { number, currency: coinId, units, feeUnits: 20n });
    site.faults.broadcast = "dropped";
    await pass();
    site.clock.advance(seconds);
    await mine();
    // The block that ends them is read after a pass looked for what to replace: they wait for the next pass.
    await expire();
    await pass();
    expect(await standing()).toBe(
      Array.from({ length: 3 }, () => "sending, spend open").join("; "),
    );
    const attempts = await sql(
      "select draft->'claims' as claims from spend_attempt order by spend_id, number",
    );
    expect(attempts).toEqual(
      [0, 0, 1, 1, 2, 2].map((number) => ({ claims: [`${site.hot}#${number}`] })),
    );
    site.faults.broadcast = "fine";
    for (let turn = 0; turn < 3; turn += 1) {
      await pass();
      await mine();
      site.clock.advance(15);
    }
    expect(await standing()).toBe(
      Array.from({ length: 3 }, () => "confirmed, spend confirmed").join("; "),
    );
    expect(received(site)).toBe(units);
  });

  it("fail once six of their transactions have expired", async () => {
    const { site, pass, mine } = await arrange({ seconds }, numbered);
    site.faults.broadcast = "dropped";
    for (let expired = 0; expired < 6; expired += 1) {
      expect(await standing()).toMatch(/held|sending/);
      await pass();
      site.clock.advance(seconds);
      await mine();
    }
    await pass();
    expect(await standing()).toBe("failed, spend dead");
    expect(await balance()).toEqual(released);
    expect(await sql("select count(*)::int as attempts from spend_attempt")).toEqual([
      { attempts: 6 },
    ]);
  });
});
