import { createHash } from "node:crypto";
import type { WatchedTransfer } from "../../../src/chains/block-sink.ts";
import type { ScreeningProvider } from "../../../src/deposits/screening/provider.ts";
import { screenTransfers } from "../../../src/deposits/screening/screen-transfers.ts";
import { changePayouts, confirmPayouts } from "../../../src/payouts/change-payouts.ts";
import type { Payout } from "../../../src/payouts/payout.ts";
import { screenPayouts } from "../../../src/payouts/send/screen-payouts.ts";
import { present } from "../../../src/platform/kernel/assert.ts";
import type { Operation } from "./operations.ts";
import type { ValueSite } from "./value-site.ts";

/** Appends a block with these payments, and counts the confirmations of payouts. */
export async function mine(site: ValueSite, hits: readonly WatchedTransfer[] = []): Promise<void> {
  const { chain, blocks, foundation, clock } = site;
  const { height } = await chain.append(hits);
  blocks.set(height, hits);
  await foundation.db.transaction((tx) =>
    confirmPayouts(tx, foundation, "ETH", height, clock.now()),
  );
}

async function update(site: ValueSite, id: string, facts: Partial<Payout>): Promise<void> {
  const { foundation, clock } = site;
  await foundation.db.transaction((tx) =>
    changePayouts(tx, foundation, [id], (payout) => ({ ...payout, ...facts }), clock.now()),
  );
}

type Found = { readonly id: string; readonly stage: string };

async function payoutsAt(
  { database, accounts }: ValueSite,
  condition: string,
  values: readonly string[] = [],
): Promise<readonly Found[]> {
  return database.sql<Found>(
    `select id, stage from payout where account_id = any($1::bigint[]) and ${condition} order by id`,
    [accounts.map(({ id }) => id), ...values],
  );
}

const mineBlocks: Operation = async (site) => {
  for (let block = site.seeded.between(1, 3); block > 0; block -= 1) await mine(site);
  return { what: "grow" };
};

/** Advances a payout by one step: signed, in a block, blocked by policy, or failed. */
const advance: Operation = async (site) => {
  const { seeded, chain } = site;
  const payout = seeded.oneOf(
    await payoutsAt(
      site,
      `stage in ('held', 'sending') and not is_internal
         and (risk_status in (1, 4) or released_at is not null)`,
    ),
  );
  if (payout === null) return null;
  const { height, hash } = chain.tip();
  const block = { height, hash };
  if (payout.stage === "held") {
    const isBlocked = seeded.chance(0.4);
    await update(
      site,
      payout.id,
      isBlocked ? { stage: "blocked" } : { stage: "sending", txid: `0x${payout.id}` },
    );
    return { what: isBlocked ? "block" : "sign" };
  }
  const outcome = seeded.between(1, 10);
  if (outcome <= 2) await update(site, payout.id, { stage: "failed", txid: null });
  else if (outcome === 3) await update(site, payout.id, { stage: "failed", block });
  else await update(site, payout.id, { stage: "included", block });
  return { what: outcome <= 2 ? "fail" : outcome === 3 ? "revert" : "include" };
};

/** A deep reorg undoes the transaction that had spent a payout's coins. */
const revive: Operation = async (site) => {
  const payout = site.seeded.oneOf(
    await payoutsAt(site, "stage = 'failed' and block_hash is null"),
  );
  if (payout === null) return null;
  await update(site, payout.id, { stage: "sending", txid: `0x${payout.id}` });
  return { what: "revive" };
};

/** Replaces some blocks; most of their payments are included again, the others become invalid. */
const reorg: Operation = async (site) => {
  const { seeded, chain, blocks } = site;
  const depth = Math.min(seeded.between(1, 3), blocks.size);
  const gone: WatchedTransfer[] = [];
  for (let orphaned = 0; orphaned < depth; orphaned += 1) {
    const { height } = chain.tip();
    for (const { id } of await payoutsAt(site, "block_height = $2::bigint and stage <> 'failed'", [
      height.toString(),
    ])) {
      await update(site, id, { stage: "sending", block: null });
    }
    await chain.orphan();
    gone.push(...present(blocks.get(height), `block ${height}`));
    blocks.delete(height);
  }
  const again = gone.filter(() => seeded.chance(0.8));
  if (again.length > 0) await mine(site, again);
  for (const { transfer } of gone.filter((hit) => !again.includes(hit))) {
    await chain.conflict(transfer.key.txid);
  }
  return { what: "reorg" };
};

/** The screening provider answers for everything queued; about a fifth is red. */
const screen: Operation = async (site) => {
  const { foundation, world, clock } = site;
  const seen = new Set<string>();
  const provider: ScreeningProvider = {
    name: "simulated",
    screen: (question) => {
      // Questions arrive in any order, so the verdict follows from the question, not from the seed's sequence.
      const text = `${question.txid ?? ""} ${question.amount} ${question.address}`;
      const isRed = createHash("sha256").update(text).digest()[0]! % 5 === 0;
      seen.add(isRed ? "red" : "green");
      return Promise.resolve(isRed ? { risk: 90, verdict: "red" } : { risk: 5, verdict: "green" });
    },
  };
  const { signal } = new AbortController();
  await screenTransfers({ ...world.context, db: foundation.db, clock, provider }, signal);
  await screenPayouts({ ...foundation, provider }, signal);
  return { what: seen.has("red") ? "screen: red" : "screen" };
};

/** The chain's and the screening provider's operations, with their weights. */
export const chainEvents: readonly (readonly [weight: number, operation: Operation])[] = [
  [7, mineBlocks],
  [8, advance],
  [1, revive],
  [1, reorg],
  [12, screen],
];
