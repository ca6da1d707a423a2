import type { FeeCeiling, Funds, Payment } from "../../chains/paying-port.ts";
import { quoteSpend } from "./quote-spend.ts";
import type { SpendContext, SpendSettings } from "./spend-context.ts";

/** Without a configured ceiling, the ceiling is this many times the high quote. */
const timesHigh = 10n;

/**
 * The most that a transaction for these payments may burn, in units of the chain's coin: the operator's setting, or else ten
 * times the high quote for each payment. Rejects with `Unavailable` if the node does not respond.
 */
export async function findFeeCeiling(
  { writer, settings }: Pick<SpendContext, "writer" | "settings">,
  payments: readonly Payment[],
  funds: Funds,
  signal: AbortSignal,
): Promise<bigint> {
  if (settings.feeCeiling !== null) return settings.feeCeiling;
  const { high } = await quoteSpend(writer, { payments, funds }, signal);
  return high * timesHigh * BigInt(Math.max(payments.length, 1));
}

/** The same ceiling as a rule, which the writer applies to each of several payments. */
export function feeCeilingOf({ feeCeiling }: Pick<SpendSettings, "feeCeiling">): FeeCeiling {
  return feeCeiling === null ? { timesHigh } : { units: feeCeiling };
}
