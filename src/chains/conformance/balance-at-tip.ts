import type { CurrencyId } from "../../platform/kernel/money.ts";
import type { ChainReader } from "../port.ts";

/** The addresses' total balance at the node's tip, in units; throws if the tip moves during the query. */
export async function balanceAtTip(
  { tip, balancesAt }: Pick<ChainReader, "tip" | "balancesAt">,
  addresses: readonly string[],
  currency: CurrencyId,
  signal: AbortSignal,
): Promise<bigint> {
  const balances = await balancesAt(addresses, currency, (await tip(signal)).hash, signal);
  if (balances === null) throw new Error("the node's tip moved");
  return balances.reduce((sum, units) => sum + units, 0n);
}
