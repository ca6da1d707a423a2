import type { Executor } from "../../platform/db/database.ts";
import type { SpendIntent } from "../../signer/intent.ts";

/** What a transaction of ours is for. */
export type OwnSpend = { readonly spendId: string; readonly kind: SpendIntent["kind"] };

/** Those of the transactions that we signed, by id, whatever became of them since. */
export type FindOwnSpends = (
  tx: Executor,
  chain: string,
  txids: readonly string[],
) => Promise<ReadonlyMap<string, OwnSpend>>;

/** Whether it pays others: what of it reaches an address of ours was meant as a payment. */
export function paysOthers({ kind }: Pick<OwnSpend, "kind">): boolean {
  return kind === "payout" || kind === "cold";
}
