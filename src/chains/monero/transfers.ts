import type { CurrencyId } from "../../platform/kernel/money.ts";
import type { Transfer } from "../port.ts";
import { scanTransaction } from "./scan.ts";
import type { MoneroTransaction } from "./transaction.ts";

/** What finds an account's payments, and what they are in. */
export type ScanTerms = { readonly viewSecret: bigint; readonly currency: CurrencyId };

/**
 * The outputs of a transaction that may pay an address of ours. Locked ones are no payments, since their sender decides when they can be spent;
 * rewards have a lock of 60 blocks, and name the height.
 */
export function transfersOf(
  { currency, viewSecret }: ScanTerms,
  transaction: MoneroTransaction,
): readonly Transfer[] {
  const { origin, txid, unlockTime } = transaction;
  if (origin.kind === "outputs" && unlockTime !== 0n) return [];
  const spendableFromHeight = origin.kind === "reward" ? Number(unlockTime) : null;
  return scanTransaction(viewSecret, transaction).map(({ index, oneTimeKey, spendKey, units }) => ({
    key: { txid, index },
    to: spendKey,
    asset: { kind: "currency", amount: { currency, units } },
    spendableFromHeight,
    oneTimeKey,
  }));
}
