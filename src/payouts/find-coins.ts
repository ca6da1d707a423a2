import type { Funds } from "../chains/paying-port.ts";
import { present } from "../kernel/assert.ts";
import type { SendContext } from "./send-context.ts";

type Coins = Extract<Funds, { readonly kind: "coins" }>;

/** Coins offered to one draft. */
const coinsMax = 500;

/** A change address that was taken and not used: the next draft uses it. */
export type ChangeMemory = { change: Coins["change"] | null };

/** The coins that the next transaction may be paid from; null: none are there. The writer counts them. */
export async function findCoins(context: SendContext, memory: ChangeMemory): Promise<Coins | null> {
  const { db, clock, chain } = context;
  const own = present(context.coins, `the coins of ${chain}`);
  const coins = await own.spendable(db, coinsMax);
  if (coins.length === 0) return null;
  memory.change ??= await db.transaction((tx) => own.nextChange(tx, clock.now()));
  return { kind: "coins", coins, change: memory.change };
}
