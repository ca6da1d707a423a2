import type { Executor } from "../../platform/db/database.ts";
import { findSpendsOf, readSpends } from "./spend.store.ts";
import type { SpendKind } from "./spend.ts";

/** The spend that a transaction of ours belongs to, and its claims. */
export type SpendOfTransaction = {
  readonly spendId: string;
  readonly kind: SpendKind;
  readonly claims: readonly string[];
};

/** Those of the transactions that we signed, by transaction id, whatever their state. */
export async function findOwnSpends(
  tx: Executor,
  chain: string,
  txids: readonly string[],
): Promise<ReadonlyMap<string, SpendOfTransaction>> {
  const ids = await findSpendsOf(tx, chain, txids);
  const spends = await readSpends(tx, [...new Set(ids.values())]);
  return new Map(
    spends.flatMap(({ id, kind, attempts }) =>
      attempts.flatMap(({ txid, draft }) =>
        txid !== null && ids.get(txid) === id
          ? [[txid, { spendId: id, kind, claims: draft.claims }] as const]
          : [],
      ),
    ),
  );
}
