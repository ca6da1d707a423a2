import type { BlockSink, WatchedTransfer } from "../chains/block-sink.ts";
import type { Executor } from "../db/database.ts";
import { present } from "../kernel/assert.ts";
import type { Instant } from "../kernel/clock.ts";
import type { TransferRecord } from "../transfers/transfer.ts";
import {
  readOutstanding,
  references,
  reserveTransferIds,
  type TransferReference,
} from "./incoming.store.ts";
import {
  cancelTransfer,
  includeTransfer,
  newTransfer,
  orphanTransfer,
  reviveTransfer,
} from "./learn-transfer.ts";
import { type DepositContext, type Facts, reconsider } from "./reconsider.ts";
import { spareUnlisted } from "./spare-unlisted.ts";
import { trimOrigins } from "./trim-origins.ts";

/** How blocks and the mempool reach the deposits: the facts are entered here, the consequences are `reconsider`'s. */
export function createDepositSink(context: DepositContext): BlockSink {
  return {
    appended: async (tx, chain, block, found, now) => {
      const [known, rivals, due] = await Promise.all([
        references.byOutput(tx, chain, found.map(keyOf)),
        references.rivals(tx, chain, ...spendersOf(found)),
        references.due(tx, chain, block.height),
      ]);
      const knownKeys = new Set(known.map((row) => `${row.txid} ${row.output_index}`));
      const isKnown = (hit: WatchedTransfer): boolean => knownKeys.has(textOfKey(hit));
      const hits = trimOrigins(await spareUnlisted(tx, found, isKnown));
      const arrivals = await arrivalsOf(tx, hits, known);
      const tips = new Map([[chain, block.height]]);
      await reconsider(
        tx,
        context,
        request([...known, ...rivals, ...due], hits, tips, now),
        (facts) =>
          mergeArrivals(
            changeSome(facts, rivals, cancelTransfer),
            arrivals,
            (hit, id) => newTransfer(hit, id, chain, block, now, context),
            (transfer, hit) => includeTransfer(transfer, hit, block, context),
          ),
      );
    },
    orphaned: async (tx, chain, block, now) => {
      const gone = await references.inBlock(tx, chain, block.height);
      const tips = new Map([[chain, block.height - 1]]);
      await reconsider(tx, context, request(gone, [], tips, now), (facts) =>
        changeSome(facts, gone, (transfer) => orphanTransfer(transfer, facts.deposit)),
      );
    },
    pendingSeen: async (tx, chain, found, now) => {
      const [known, rivals] = await Promise.all([
        references.byOutput(tx, chain, found.map(keyOf)),
        references.rivals(tx, chain, ...spendersOf(found)),
      ]);
      const hits = trimOrigins(found);
      const arrivals = await arrivalsOf(tx, hits, known);
      await reconsider(tx, context, request([...known, ...rivals], hits, new Map(), now), (facts) =>
        mergeArrivals(
          changeSome(facts, rivals, cancelTransfer),
          arrivals,
          (hit, id) => newTransfer(hit, id, chain, null, now, context),
          reviveTransfer,
        ),
      );
    },
    outstanding: async (tx, chain) => {
      const rows = await readOutstanding(tx, chain);
      return rows.map((row) => ({
        accountId: row.account_id,
        transferId: row.id,
        txid: row.txid,
        spends: row.spends,
        firstSeenAt: row.first_seen_at,
      }));
    },
    fatesLearned: async (tx, _chain, fates, now) => {
      const dead = fates.filter(({ fate }) => fate.kind !== "pending");
      const found = await references.byIds(
        tx,
        dead.map(({ outstanding }) => outstanding.transferId),
      );
      await reconsider(tx, context, request(found, [], new Map(), now), (facts) =>
        changeSome(facts, found, (transfer) =>
          transfer.block === null ? cancelTransfer(transfer) : transfer,
        ),
      );
    },
  };
}

/** What the transactions of the hits spend, and which they are; each transaction once, however often it pays us. */
function spendersOf(
  hits: readonly WatchedTransfer[],
): readonly [spends: readonly string[], txids: readonly string[]] {
  const origins = new Map(hits.map(({ transfer, origin }) => [transfer.key.txid, origin]));
  return [[...origins.values()].flatMap(({ spends }) => spends), [...origins.keys()]];
}

type Arrival = { readonly hit: WatchedTransfer; readonly id: string };

/** By deposit, each hit with the id of its row: the one it has, or one reserved for it. */
async function arrivalsOf(
  tx: Executor,
  hits: readonly WatchedTransfer[],
  known: readonly (TransferReference & { readonly txid: string; readonly output_index: string })[],
): Promise<ReadonlyMap<string, readonly Arrival[]>> {
  const idByKey = new Map(known.map((row) => [`${row.txid} ${row.output_index}`, row.id]));
  const fresh = hits.filter((hit) => !idByKey.has(textOfKey(hit)));
  const ids = await reserveTransferIds(tx, fresh.length);
  fresh.forEach((hit, index) => {
    idByKey.set(textOfKey(hit), present(ids[index], "a reserved transfer id"));
  });
  const arrivals = hits.map((hit) => ({
    hit,
    id: present(idByKey.get(textOfKey(hit)), "a transfer id"),
  }));
  return Map.groupBy(arrivals, ({ hit }) => hit.depositId);
}

/** The facts with what arrived: transfers that are known are brought up to date, others are new. */
function mergeArrivals(
  facts: Facts,
  arrivals: ReadonlyMap<string, readonly Arrival[]>,
  create: (hit: WatchedTransfer, id: string) => TransferRecord,
  update: (transfer: TransferRecord, hit: WatchedTransfer) => TransferRecord,
): Facts {
  const mine = arrivals.get(facts.deposit.id) ?? [];
  const byId = new Map(mine.map(({ hit, id }) => [id, hit]));
  const updated = facts.transfers.map((transfer) => {
    const hit = byId.get(transfer.id);
    return hit === undefined ? transfer : update(transfer, hit);
  });
  const knownIds = new Set(facts.transfers.map((transfer) => transfer.id));
  const created = mine.filter(({ id }) => !knownIds.has(id)).map(({ hit, id }) => create(hit, id));
  return { deposit: facts.deposit, transfers: [...updated, ...created] };
}

function request(
  found: readonly TransferReference[],
  hits: readonly WatchedTransfer[],
  tips: ReadonlyMap<string, number | null>,
  now: Instant,
) {
  return {
    depositIds: [...found.map((row) => row.deposit_id), ...hits.map((hit) => hit.depositId)],
    transferIds: found.map((row) => row.id),
    tips,
    now,
  };
}

const keyOf = (hit: WatchedTransfer) => hit.transfer.key;
const textOfKey = ({ transfer: { key } }: WatchedTransfer): string => `${key.txid} ${key.index}`;

/** The facts with those transfers changed that `rows` name. */
function changeSome(
  { deposit, transfers }: Facts,
  rows: readonly TransferReference[],
  change: (transfer: TransferRecord) => TransferRecord,
): Facts {
  const ids = new Set(rows.map(({ id }) => id));
  return {
    deposit,
    transfers: transfers.map((transfer) => (ids.has(transfer.id) ? change(transfer) : transfer)),
  };
}
