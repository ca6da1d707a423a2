import type { ChainWriter } from "../../chains/paying-port.ts";
import type { BlockRef, OutgoingTransaction } from "../../chains/port.ts";
import type { Executor } from "../../platform/db/database.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import { changeSpends } from "./change-spends.ts";
import { findClaimOwners } from "./claim.store.ts";
import { findSpendsOf, readSpends } from "./spend.store.ts";
import { type Attempt, isMinable, type Spend } from "./spend.ts";
import type { SpendListener } from "./spend-listener.ts";
import { recordEquivalent } from "./spend-transitions.ts";

/*
 * A miner can alter a signature of a transaction and thereby its id, on some chains. It spends and pays the same, so nothing has to be
 * decided about it.
 */

/** A chain whose transactions are compared with those that we signed. */
export type ComparedWriter = {
  readonly chain: string;
  readonly writer: Pick<ChainWriter, "isEquivalent"> | null;
};

/** The open spends that have signed such a transaction, under another id, by id of the transactions that are not on record. */
export async function findEquivalents(
  tx: Executor,
  { chain, writer }: ComparedWriter,
  outgoing: readonly OutgoingTransaction[],
): Promise<ReadonlyMap<string, string>> {
  if (writer?.isEquivalent === undefined) return new Map();
  const known = await findSpendsOf(
    tx,
    chain,
    outgoing.map(({ txid }) => txid),
  );
  const unknown = outgoing.filter(({ txid }) => !known.has(txid));
  if (unknown.length === 0) return new Map();
  const owners = await findClaimOwners(
    tx,
    chain,
    unknown.flatMap(({ claims }) => claims),
  );
  const spends = await readSpends(tx, [...new Set(owners.values())]);
  const byId = new Map(spends.map((spend) => [spend.id, spend]));
  return new Map(
    unknown.flatMap((transaction) => {
      const [claim = ""] = transaction.claims;
      const spend = byId.get(owners.get(claim) ?? "");
      const isFound = spend !== undefined && attemptLike(writer, spend, transaction) !== null;
      return isFound ? [[transaction.txid, spend.id]] : [];
    }),
  );
}

/** Records those of a block's transactions; the others are left alone. Returns the spends by transaction id. */
export async function recordEquivalents(
  tx: Executor,
  listener: SpendListener,
  compared: ComparedWriter,
  outgoing: readonly OutgoingTransaction[],
  { height, hash }: Pick<BlockRef, "height" | "hash">,
  now: Instant,
): Promise<ReadonlyMap<string, string>> {
  const found = await findEquivalents(tx, compared, outgoing);
  const bySpend = new Map(
    outgoing.flatMap((transaction) => {
      const id = found.get(transaction.txid);
      return id === undefined ? [] : [[id, transaction]];
    }),
  );
  const apply = (spend: Spend): Spend => {
    const transaction = bySpend.get(spend.id);
    if (transaction === undefined) return spend;
    const like = attemptLike(compared.writer, spend, transaction);
    if (like === null) return spend;
    const { txid } = transaction;
    const mined = { txid, height, hash, hasSucceeded: true, feeUnits: like.draft.feeUnits };
    return recordEquivalent(spend, mined, now, like);
  };
  await changeSpends(tx, listener, [...bySpend.keys()], apply, now);
  return found;
}

/** The signed attempt that the transaction is equivalent to; null if there is none, or the spend is in a block already. */
function attemptLike(
  writer: ComparedWriter["writer"],
  { attempts, state }: Spend,
  transaction: OutgoingTransaction,
): Attempt | null {
  if (state !== "open") return null;
  // Of a transaction that a person settled, only the id and the claims are known.
  const isLike = ({ draft }: Attempt): boolean =>
    Object.keys(draft.body).length > 0 && writer?.isEquivalent?.(draft, transaction) === true;
  return attempts.filter(isMinable).find(isLike) ?? null;
}
