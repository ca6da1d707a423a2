import type { ChangeTarget, Funds } from "../../chains/paying-port.ts";
import { present } from "../../platform/kernel/assert.ts";
import type { SendContext } from "./send-context.ts";

type Coins = Extract<Funds, { readonly kind: "coins" }>;

/** Maximum coins offered to one draft. */
const coinsMax = 500;

/**
 * With fewer coins than this, transactions with several receivers split their change. Otherwise one coin could hold
 * all funds, and every payout would wait for its confirmations.
 */
const coinsKept = 8;
/** Maximum additional change addresses. */
const furtherMax = 3;

/** Change addresses that were reserved but not used; the next draft uses them. */
export type ChangeMemory = { change: readonly ChangeTarget[] | null };

/** The coins that may fund the next transaction with this many payments; null if there are none. */
export async function findCoins(
  context: SendContext,
  memory: ChangeMemory,
  payments: number,
): Promise<Coins | null> {
  const { db, clock, chain } = context;
  const own = present(context.coins, `the coins of ${chain}`);
  const coins = await own.spendable(db, coinsMax);
  if (coins.length === 0) return null;
  const further = payments < 2 ? 0 : Math.max(0, Math.min(furtherMax, coinsKept - coins.length));
  while ((memory.change?.length ?? 0) < 1 + further) {
    const taken = await db.transaction((tx) => own.nextChange(tx, clock.now()));
    memory.change = [...(memory.change ?? []), taken];
  }
  const [change, ...furtherChange] = (memory.change ?? []).slice(0, 1 + further);
  return {
    kind: "coins",
    coins,
    change: present(change, "a change address"),
    ...(furtherChange.length > 0 ? { extraChange: furtherChange } : {}),
  };
}

/** Forgets the change addresses that a stored draft pays, at least the first, which is never offered twice. */
export function dropUsedChange(memory: ChangeMemory, used: number): void {
  memory.change = (memory.change ?? []).slice(Math.max(used, 1));
}
