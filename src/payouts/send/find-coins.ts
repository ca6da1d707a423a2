import type { ChangeTarget, Funds } from "../../chains/paying-port.ts";
import { present } from "../../platform/kernel/assert.ts";
import type { SendContext } from "./send-context.ts";

type Coins = Extract<Funds, { readonly kind: "coins" }>;

/** Coins offered to one draft. */
const coinsMax = 500;

/**
 * With fewer coins than this at hand, change of payments to several receivers may come back as several coins. What is paid in the
 * blocks until they are deep enough would otherwise wait for the one that all of the money is in.
 */
const coinsKept = 8;
/** Change addresses beside the first one. */
const furtherMax = 3;

/** Change addresses that were taken and not used: the next draft uses them. */
export type ChangeMemory = { change: readonly ChangeTarget[] | null };

/**
 * The coins that the next transaction may be paid from, for so many payments; null: none are there. The writer counts them.
 */
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

/** So many outputs of a draft that is written down pay change addresses. The first address is never offered twice. */
export function dropUsedChange(memory: ChangeMemory, used: number): void {
  memory.change = (memory.change ?? []).slice(Math.max(used, 1));
}
