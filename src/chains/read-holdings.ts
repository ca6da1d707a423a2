import type { Executor } from "../db/database.ts";
import type { CurrencyId } from "../kernel/money.ts";
import type { ChainAdapter } from "./chain-adapter.ts";
import { issuedAfter } from "./watched-address.store.ts";

/** Addresses per question to the adapter: a question may cost a node a walk through all its coins. */
const pageSize = 10_000;

/**
 * What all addresses in use hold of a currency right after the block `hash`, in units. Null when the node's tip is
 * another block or moved while it was asked, or where a node cannot answer for addresses.
 */
export async function readHoldings(
  { db, adapter }: { readonly db: Executor; readonly adapter: ChainAdapter },
  currency: CurrencyId,
  hash: string,
  signal: AbortSignal,
): Promise<bigint | null> {
  const { reader, keyspace } = adapter;
  if (reader.balanceOf === null || (await reader.tip(signal)).hash !== hash) return null;
  let units = 0n;
  let afterWatchKey = "";
  for (;;) {
    const page = await issuedAfter(db, keyspace, afterWatchKey, pageSize);
    const last = page.at(-1);
    if (last === undefined) break;
    const addresses = [...new Set(page.map(({ address }) => address))];
    units += await reader.balanceOf(addresses, currency, signal);
    afterWatchKey = last.watchKey;
  }
  return (await reader.tip(signal)).hash === hash ? units : null;
}
