import type { BlockSink, WatchedTransfer } from "../../chains/block-sink.ts";
import type { BlockRef } from "../../chains/port.ts";
import type { Executor } from "../../platform/db/database.ts";
import { present } from "../../platform/kernel/assert.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import { enterReports } from "./enter-reports.ts";
import {
  type PlacedTransfer,
  readOutstanding,
  references,
  reserveTransferIds,
  type TransferReference,
} from "./incoming.store.ts";
import { limitUnlistedTokens, trimOrigins } from "./limit-hits.ts";
import type { DepositContext } from "./reconsider.ts";
import { hasWaitingReports, reported } from "./report.store.ts";
import type { Report } from "./report.ts";

/**
 * Receives blocks and mempool contents for the deposits: it records the reports and decides on them at once, or leaves them to
 * `decideReported`.
 */
export function createDepositSink(context: DepositContext): BlockSink {
  return {
    appended: async (tx, chain, block, found, now) => {
      const [known, rivals, due] = await Promise.all([
        findKnown(tx, chain, found),
        references.rivals(tx, chain, ...spendersOf(found)),
        references.due(tx, chain, block.height),
      ]);
      const isKnown = (hit: WatchedTransfer): boolean => known.has(textOfKey(hit));
      const hits = trimOrigins(await limitUnlistedTokens(tx, found, isKnown));
      await enterReports(tx, context, {
        chain,
        reports: [
          ...cancellationsOf(rivals, chain, now),
          ...(await arrivalsOf(tx, { chain, block, now }, hits, known)),
        ],
        due,
        known: [...known.values(), ...rivals],
        tips: new Map([[chain, block.height]]),
        now,
      });
    },
    orphaned: async (tx, chain, block, now) => {
      const [waiting, recorded] = await Promise.all([
        reported.inBlock(tx, chain, block.height),
        references.inBlock(tx, chain, block.height),
      ]);
      const removed = new Map<string, PlacedTransfer>(
        [...waiting, ...recorded].map((row) => [row.id, row]),
      );
      await enterReports(tx, context, {
        chain,
        reports: [...removed.values()].map((row) => ({
          ...subjectOf(row, chain, now),
          kind: "orphaned",
          height: block.height,
        })),
        due: [],
        known: [...removed.values()],
        tips: new Map([[chain, block.height - 1]]),
        now,
      });
    },
    pendingSeen: async (tx, chain, found, now) => {
      const [known, rivals] = await Promise.all([
        findKnown(tx, chain, found),
        references.rivals(tx, chain, ...spendersOf(found)),
      ]);
      await enterReports(tx, context, {
        chain,
        reports: [
          ...cancellationsOf(rivals, chain, now),
          ...(await arrivalsOf(tx, { chain, block: null, now }, trimOrigins(found), known)),
        ],
        due: [],
        known: [...known.values(), ...rivals],
        tips: new Map(),
        now,
      });
    },
    pendingTransfers: async (tx, chain) => {
      // Reports first: a decision that runs at the same time turns them into transfers.
      const isComplete = !(await hasWaitingReports(tx, chain));
      const rows = await readOutstanding(tx, chain);
      const transfers = rows.map((row) => ({
        accountId: row.account_id,
        transferId: row.id,
        txid: row.txid,
        claims: row.spends,
        firstSeenAt: row.first_seen_at,
      }));
      return { transfers, isComplete };
    },
    transfersDropped: async (tx, chain, dropped, now) => {
      const dead = dropped.filter(({ status }) => status.kind !== "pending");
      const found = await references.byIds(
        tx,
        dead.map(({ transfer }) => transfer.transferId),
      );
      const reports = cancellationsOf(found, chain, now);
      await enterReports(tx, context, {
        chain,
        reports,
        due: [],
        known: found,
        tips: new Map(),
        now,
      });
    },
  };
}

type KnownOutput = PlacedTransfer & { readonly txid: string; readonly output_index: string };

/**
 * The stored and reported transfers, by transaction and output. Reports are read first, because a decision that runs at the same
 * time turns them into stored transfers.
 */
async function findKnown(
  tx: Executor,
  chain: string,
  hits: readonly WatchedTransfer[],
): Promise<ReadonlyMap<string, KnownOutput>> {
  const [waiting, recorded] = await Promise.all([
    reported.byOutput(tx, chain, hits.map(keyOf)),
    references.byOutput(tx, chain, hits.map(keyOf)),
  ]);
  return new Map([...waiting, ...recorded].map((row) => [`${row.txid} ${row.output_index}`, row]));
}

/** The spent outputs of the hits' transactions and the transactions' ids; each transaction once, however many outputs pay us. */
function spendersOf(
  hits: readonly WatchedTransfer[],
): readonly [spends: readonly string[], txids: readonly string[]] {
  const sendersOf = new Map(hits.map(({ transfer, senders }) => [transfer.key.txid, senders]));
  return [[...sendersOf.values()].flatMap(({ claims }) => claims), [...sendersOf.keys()]];
}

/** Each hit with its transfer's id: the existing one, or a newly reserved one. */
async function arrivalsOf(
  tx: Executor,
  {
    chain,
    block,
    now,
  }: { readonly chain: string; readonly block: BlockRef | null; readonly now: Instant },
  hits: readonly WatchedTransfer[],
  known: ReadonlyMap<string, KnownOutput>,
): Promise<readonly Report[]> {
  const fresh = new Set(hits.map(textOfKey).filter((key) => !known.has(key)));
  const reserved = await reserveTransferIds(tx, fresh.size);
  const newIds = new Map([...fresh].map((key, index) => [key, reserved[index]]));
  return hits.map((hit) => {
    const key = textOfKey(hit);
    const { accountId, depositId } = hit;
    const transferId = present(known.get(key)?.id ?? newIds.get(key), "a transfer id");
    return { kind: "arrived", accountId, depositId, transferId, chain, hit, block, at: now };
  });
}

function cancellationsOf(
  rows: readonly TransferReference[],
  chain: string,
  now: Instant,
): readonly Report[] {
  return rows.map((row) => ({ ...subjectOf(row, chain, now), kind: "cancelled" }));
}

function subjectOf(row: TransferReference, chain: string, at: Instant) {
  return {
    accountId: row.account_id,
    depositId: row.deposit_id,
    transferId: row.id,
    chain,
    at,
  };
}

const keyOf = (hit: WatchedTransfer) => hit.transfer.key;
const textOfKey = ({ transfer: { key } }: WatchedTransfer): string => `${key.txid} ${key.index}`;
