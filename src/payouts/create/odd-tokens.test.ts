import { beforeEach, describe, expect, it } from "vitest";
import { readBlock } from "../../../test/support/block-reading.ts";
import { useDatabase } from "../../../test/support/database.ts";
import { emptyDatabase } from "../../../test/support/database-backup.ts";
import type { TokenBehavior } from "../../../test/support/paying-chain.ts";
import {
  askForPayout,
  createPayoutSite,
  floatUnits,
  type PayoutSite,
  receiverOf,
  sendContext,
  tokenId,
} from "../../../test/support/payout-site.ts";
import { createPayoutPipeline } from "../send/run-payouts.ts";

/*
 * Payouts of tokens whose contract misbehaves although the transaction succeeds, on a simulated chain with the real
 * database. Whatever the contract does, the ledger matches the chain, and no callback claims a payment that did not
 * happen.
 */

const database = useDatabase();
const { db, sql } = database;
const { signal } = new AbortController();
const paid = 1_000n;

beforeEach(() => emptyDatabase(database));

/** A deployment that has broadcast a token payout. */
async function arrange(behavior: TokenBehavior): Promise<PayoutSite> {
  const site = await createPayoutSite(database, { funding: "account", confirmations: 2 });
  site.chain.mine();
  site.chain.tokenBehaviors.set(receiverOf(site, 0), behavior);
  await read(site);
  await askForPayout(site, { number: 0, currency: tokenId, units: paid, feeUnits: 20n });
  site.clock.advance(5);
  await run(site);
  expect(site.chain.mempool()).toHaveLength(1);
  return site;
}

async function read(site: PayoutSite): Promise<void> {
  while (await readBlock(site, db));
}

async function run(site: PayoutSite): Promise<void> {
  const { node, signer } = site;
  await createPayoutPipeline(sendContext(site, { db, writer: node.writer, signer }))(signal);
}

async function mine(site: PayoutSite): Promise<void> {
  site.chain.mine();
  await read(site);
}

/** The payout's callbacks, the wallet's balance of the token, and the operator's ledger entries. */
async function standing() {
  const [payout] = await sql<{ stage: string; message: string | null; status: number }>(
    "select p.stage, p.message, t.status from payout p join transfer t on t.payout_id = p.id",
  );
  const [wallet] = await sql<{ available: bigint; held: bigint }>(
    "select available, held from wallet_balance b join wallet w on w.id = b.wallet_id where w.currency = $1",
    [tokenId],
  );
  const rows = await sql<{ account: string; units: bigint }>(
    `select account, sum(units) as units from (
       select debit as account, units from posting union all select credit, -units from posting) as side
     where account in ('chain/9002', 'unresolved/9002') group by account`,
  );
  const booked = new Map(rows.map(({ account, units }) => [account, units]));
  return {
    payout,
    wallet,
    chain: booked.get("chain/9002") ?? 0n,
    unresolved: booked.get("unresolved/9002") ?? 0n,
  };
}

function onChain({ chain, hot }: PayoutSite): bigint {
  return chain.stateAt(chain.tip().height).balances.get(`${hot} ${tokenId}`) ?? 0n;
}

const notes: Readonly<Record<TokenBehavior, string>> = {
  idle: "The token's contract delivered 0 SIMT of 0.1 SIMT to the receiver and debited 0 SIMT",
  halving:
    "The token's contract delivered 0.05 SIMT of 0.1 SIMT to the receiver and debited 0.05 SIMT",
  astray: "The token's contract delivered 0 SIMT of 0.1 SIMT to the receiver and debited 0.1 SIMT",
};
const available = floatUnits - paid;

describe("payouts of misbehaving tokens", () => {
  it.each([
    ["idle", 0n, 0n],
    ["astray", paid, paid],
  ] as const)(
    "fails a payout of a token that is %s at the currency's own count, and releases its funds",
    async (behavior, left, unresolved) => {
      const site = await arrange(behavior);
      await mine(site);
      const waits = await standing();
      expect(waits.payout).toEqual({ stage: "sending", message: null, status: 1 });
      expect(waits.wallet).toEqual({ available, held: paid });
      expect([waits.chain, waits.unresolved]).toEqual([floatUnits - left, unresolved]);
      await mine(site);
      const over = await standing();
      expect(over.payout).toEqual({ stage: "failed", message: notes[behavior], status: -1 });
      expect(over.wallet).toEqual({ available: floatUnits, held: 0n });
      expect([over.chain, over.unresolved]).toEqual([onChain(site), unresolved]);
    },
  );

  it("reports a partial delivery as paid, and leaves the rest on hold", async () => {
    const site = await arrange("halving");
    await mine(site);
    await mine(site);
    const { payout, wallet, chain, unresolved } = await standing();
    expect(payout).toEqual({ stage: "confirmed", message: notes.halving, status: 2 });
    expect(wallet).toEqual({ available, held: 0n });
    expect(chain).toBe(floatUnits - paid / 2n);
    expect([chain, unresolved]).toEqual([onChain(site), -paid / 2n]);
  });

  it.each(["idle", "halving", "astray"] as const)(
    "reverses the outcome of a token that is %s after a reorg, permanently or until the next block",
    async (behavior) => {
      const site = await arrange(behavior);
      await mine(site);
      await mine(site);
      site.chain.tokenBehaviors.clear();
      site.chain.reorg(2, { forgets: false, mines: false });
      await read(site);
      const back = await standing();
      expect(back.payout).toEqual({ stage: "sending", message: null, status: 1 });
      expect(back.wallet).toEqual({ available, held: paid });
      expect([back.chain, back.unresolved]).toEqual([floatUnits, 0n]);
      await mine(site);
      await mine(site);
      const over = await standing();
      expect(over.payout).toEqual({ stage: "confirmed", message: null, status: 2 });
      expect(over.wallet).toEqual({ available, held: 0n });
      expect([over.chain, over.unresolved]).toEqual([onChain(site), 0n]);
    },
  );

  it("uses the outcome of whichever transaction is in the block", async () => {
    const site = await arrange("idle");
    site.chain.market = 1_000n;
    site.clock.advance(61);
    await run(site);
    await run(site);
    await run(site);
    const [attempts] = await sql<{ count: number }>(
      "select count(*)::int as count from spend_attempt where state = 'broadcast'",
    );
    expect(attempts?.count).toBeGreaterThan(1);
    site.chain.market = 1n;
    await mine(site);
    await mine(site);
    expect((await standing()).payout).toMatchObject({ stage: "failed", message: notes.idle });
    const over = await sql<{ state: string }>("select state from spend_attempt order by state");
    expect(new Set(over.map(({ state }) => state))).toEqual(new Set(["dead", "mined"]));
  });

  it("reaches the same outcome for a block that was missed", async () => {
    const site = await arrange("idle");
    // Read while the database did not know that it had been broadcast.
    await sql("update spend_attempt set state = 'signing', txid = null, raw = null");
    await mine(site);
    await mine(site);
    await run(site);
    await mine(site);
    site.clock.advance(61);
    await run(site);
    await run(site);
    await read(site);
    expect((await standing()).payout).toMatchObject({ stage: "failed", message: notes.idle });
  });
});
