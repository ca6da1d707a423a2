import { type Instant, microsPerSecond } from "../../platform/kernel/clock.ts";
import type { CurrencyId } from "../../platform/kernel/money.ts";
import type { Transfer } from "../port.ts";
import { scanTransaction } from "./scan.ts";
import type { MoneroTransaction } from "./transaction.ts";

/** Where a transaction is: what a lock until a time means depends on it. */
export type BlockPlace = { readonly height: number; readonly time: Instant };

/** What finds an account's payments, and what they are in. */
export type ScanTerms = { readonly viewSecret: bigint; readonly currency: CurrencyId };

/** The outputs of a transaction that may pay an address of ours. `place` is null while it waits for a block. */
export function transfersOf(
  { currency, viewSecret }: ScanTerms,
  transaction: MoneroTransaction,
  place: BlockPlace | null,
): readonly Transfer[] {
  const { txid, unlockTime } = transaction;
  const scanned = scanTransaction(viewSecret, transaction);
  if (scanned.length === 0) return [];
  const spendableFromHeight = unlockHeight(unlockTime, place);
  return scanned.map(({ index, oneTimeKey, spendKey, units }) => ({
    key: { txid, index },
    to: spendKey,
    asset: { kind: "currency", amount: { currency, units } },
    spendableFromHeight,
    oneTimeKey,
  }));
}

/** Locks from this number on are times in seconds (CRYPTONOTE_MAX_BLOCK_NUMBER). */
const timesFrom = 500_000_000n;
/** Blocks come every 120 seconds; counted as if they came faster, the end of a lock is later rather than earlier. */
const blockSeconds = 100n;
const never = Number.MAX_SAFE_INTEGER;

/** The height from which a locked output can be spent; null without a lock. */
function unlockHeight(unlockTime: bigint, place: BlockPlace | null): number | null {
  if (unlockTime === 0n) return null;
  if (unlockTime < timesFrom) return Number(unlockTime);
  if (place === null) return never;
  const left = unlockTime - BigInt(Math.floor(place.time / microsPerSecond));
  if (left <= 0n) return null;
  const height = BigInt(place.height) + left / blockSeconds + 1n;
  return height > BigInt(never) ? never : Number(height);
}
