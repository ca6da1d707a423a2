import { noOwnActivity, type OwnArrival } from "../../src/chains/block-sink.ts";
import type { BlockSpends, OutgoingTransaction } from "../../src/chains/port.ts";
import type { Database } from "../../src/platform/db/database.ts";
import { assembledStatement } from "../../src/platform/db/list-query.ts";
import type { Instant } from "../../src/platform/kernel/clock.ts";
import { silentLogger } from "../../src/platform/kernel/logger.ts";
import { money } from "../../src/platform/kernel/money.ts";
import { formatTimestamp } from "../../src/platform/kernel/timestamp.ts";
import { Unavailable } from "../../src/platform/kernel/unavailable.ts";
import {
  type ConfirmOutcomesContext,
  confirmOutcomes,
} from "../../src/treasury/spends/confirm-outcomes.ts";
import {
  isFromOutside,
  type PaidBlock,
  type PaidOutput,
  type PaidTransaction,
} from "./paying-chain.ts";
import { simulatedChainName as chain, type PayoutSite } from "./payout-site.ts";

/*
 * A reduced follower for payout tests: reads one block per transaction, and orphans the newest when the node has another.
 * `test/simulation/follower-*.test.ts` test the real one.
 */

type Cursor = { readonly height: string; readonly hash: string };

/**
 * Takes one step; false when there is nothing to do. At the tip it calls `atTip`, which resolves with whether this still is the tip, and
 * `secondOpinion` for the outcomes of our own transactions.
 */
export async function readBlock(
  site: PayoutSite,
  db: Database,
  secondOpinion: ConfirmOutcomesContext["secondOpinion"] = onlyNode(site),
  atTip: () => Promise<boolean> = () => Promise.resolve(true),
): Promise<boolean> {
  const { node } = site;
  const [cursor] = await db.query<Cursor>(
    assembledStatement("reading", "select height, hash from chain_cursor where chain = $1"),
    [chain],
  );
  if (cursor === undefined) {
    await append(site, db, null, node.blockAt(0));
    return true;
  }
  const height = Number(cursor.height);
  const held = node.blockAt(height);
  // A node that does not know our newest block yet has not replaced it.
  if (held === null) return false;
  if (held.ref.hash !== cursor.hash) {
    await orphan(site, db, cursor);
    return true;
  }
  const next = node.blockAt(height + 1);
  if (next === null) {
    const readAt = site.clock.now();
    if (!(await atTip())) return false;
    await noteCaughtUp(db, readAt);
    const { clock, listener } = site;
    const context = { db, clock, listener, secondOpinion, logger: silentLogger };
    await confirmOutcomes(context, new AbortController().signal);
    return false;
  }
  await append(site, db, cursor, next);
  return true;
}

/** The only node's answer when the worker's job asks again. */
function onlyNode({ node }: PayoutSite): ConfirmOutcomesContext["secondOpinion"] {
  return {
    chain,
    confirmReceipts: ({ height, hash }, transactions) => {
      const held = node.blockAt(height)?.ref;
      const txids = transactions.map(({ txid }) => txid);
      return Promise.resolve(held?.hash === hash ? (node.minedAmong(txids, held) ?? []) : []);
    },
  };
}

async function noteCaughtUp(db: Database, readAt: Instant): Promise<void> {
  await db.query(
    assembledStatement(
      "reading",
      "update chain_cursor set caught_up_at = $2::timestamptz where chain = $1",
    ),
    [chain, formatTimestamp(readAt)],
  );
}

async function append(
  site: PayoutSite,
  db: Database,
  cursor: Cursor | null,
  block: PaidBlock | null,
): Promise<void> {
  if (block === null) return;
  const { ref } = block;
  const now = site.clock.now();
  const txids = await site.atLarge(db, chain);
  const mined = site.node.minedAmong(txids, ref);
  if (mined === null) return;
  await db.transaction(async (tx) => {
    const moved = await tx.query(
      assembledStatement(
        "reading",
        cursor === null
          ? `insert into chain_cursor (chain, network, height, hash, caught_up_at, updated_at, block_time)
             values ($1, $5, $2, $3, $4, $4, $6) returning height`
          : `update chain_cursor
             set height = $2::bigint, hash = $3, updated_at = $4::timestamptz, block_time = $6::timestamptz
             where chain = $1 and hash = $5 returning height`,
      ),
      [
        ...[chain, ref.height, ref.hash, formatTimestamp(now)],
        ...[cursor?.hash ?? "simulated", formatTimestamp(ref.time)],
      ],
    );
    if (moved.length === 0) return;
    await tx.query(
      assembledStatement(
        "reading",
        `insert into chain_block (chain, height, hash, parent_hash, block_time, scanned_at)
         values ($1, $2, $3, $4, $5, $6) on conflict (chain, hash) do update set orphaned_at = null`,
      ),
      [
        ...[chain, ref.height, ref.hash, ref.parentHash],
        ...[formatTimestamp(ref.time), formatTimestamp(now)],
      ],
    );
    const own = {
      ...noOwnActivity,
      arrivals: arrivalsOf(site, block),
      receipts: mined,
      spends: spendsOf(block),
    };
    await site.sinks.appended(tx, chain, ref, [], now, own);
  });
}

async function orphan(site: PayoutSite, db: Database, cursor: Cursor): Promise<void> {
  const now = site.clock.now();
  await db.transaction(async (tx) => {
    const [removed] = await tx.query<{ parent: string; time: number }>(
      assembledStatement(
        "reading",
        `update chain_block set orphaned_at = $3::timestamptz where chain = $1 and hash = $2
         returning parent_hash as parent, block_time as time`,
      ),
      [chain, cursor.hash, formatTimestamp(now)],
    );
    const moved = await tx.query(
      assembledStatement(
        "reading",
        `update chain_cursor
         set height = height - 1, hash = $3,
           block_time = (select block_time from chain_block where chain = $1 and hash = $3)
         where chain = $1 and hash = $2 returning height`,
      ),
      [chain, cursor.hash, removed?.parent ?? ""],
    );
    if (moved.length === 0) throw new Error("the cursor moved concurrently");
    const ref = {
      height: Number(cursor.height),
      hash: cursor.hash,
      parentHash: removed?.parent ?? "",
      time: now,
    };
    await site.sinks.orphaned(tx, chain, ref, now);
  });
}

/** What the block's transactions spend. */
function spendsOf({ applied }: PaidBlock): BlockSpends {
  const outgoing = applied
    .filter(({ transaction }) => !isFromOutside(transaction))
    .map(({ transaction, delivered, burntUnits }) =>
      outgoingOf(transaction, delivered, transaction.account === null ? null : burntUnits),
    );
  return {
    sources: () => outgoing.flatMap(sourcesOf),
    transactionsFrom: (sources) =>
      outgoing.filter((one) => sourcesOf(one).some((source) => sources.has(source))),
  };
}

/** Those of our own transactions that no block of the node's contains. It keeps what is in a block that it does not know yet. */
export function pendingSpends(
  { chain: ledger, node, faults }: PayoutSite,
  isOurs: (source: string) => boolean,
): readonly OutgoingTransaction[] {
  if (faults.outage) throw new Unavailable("node", "the simulated node is off");
  const unread = ledger.blocks().slice(node.tip().height + 1);
  const waiting = [
    ...ledger.mempool(),
    ...unread.flatMap(({ applied }) => applied.map(({ transaction }) => transaction)),
  ];
  return waiting
    .map((transaction) => outgoingOf(transaction, transaction.outputs, null))
    .filter((one) => sourcesOf(one).some(isOurs));
}

function outgoingOf(
  { txid, claims, account }: PaidTransaction,
  payments: readonly PaidOutput[],
  feeUnits: bigint | null,
): OutgoingTransaction {
  return {
    txid,
    sender: account?.sender ?? null,
    claims,
    payments: payments.map((payment) => ({ to: payment.address, ...payment })),
    feeUnits,
  };
}

function sourcesOf({ sender, claims }: OutgoingTransaction): readonly string[] {
  return sender === null ? claims : [sender];
}

function arrivalsOf({ own }: PayoutSite, { applied }: PaidBlock): readonly OwnArrival[] {
  return applied.flatMap(({ transaction, delivered }) =>
    delivered.flatMap((output, index): readonly OwnArrival[] => {
      const address = own.get(output.address);
      if (address === undefined) return [];
      const amount = money(output.units, output.currency);
      return [
        {
          transfer: {
            key: { txid: transaction.txid, index },
            to: output.address,
            asset: { kind: "currency", amount },
            spendableFromHeight: null,
          },
          purpose: address.purpose,
          keyIndex: address.keyIndex,
          addressType: "",
        },
      ];
    }),
  );
}
