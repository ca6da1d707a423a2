import { relayEvents } from "../../src/callbacks/events/event-feed.ts";
import { readDepositRow } from "../../src/deposits/deposit-list.store.ts";
import { present } from "../../src/platform/kernel/assert.ts";
import { announceChain, payment } from "./deposit-world.ts";
import type { WholeApi } from "./whole-api.ts";

/** A deposit and the payments to it, in its currency. */
export type Payment = { readonly accountId: string; readonly id: string; readonly amount: string };

/** Pays deposits of one chain, each in its own block, settles them and numbers the events. */
export async function payAll(
  api: WholeApi,
  chain: "ETH" | "BTC",
  payments: readonly Payment[],
): Promise<void> {
  const announcing = await announceChain(api.world(), chain);
  for (const { accountId, id, amount } of payments) {
    const deposit = present(await readDepositRow(api.database.db, accountId, id), `deposit ${id}`);
    await announcing.append([payment({ deposit, amount })]);
  }
  await announcing.grow(3);
  await relayEvents(api.database);
}
