import type { FeeCeiling, Funds, Payment } from "../../chains/paying-port.ts";
import { quoteSpend } from "./quote-spend.ts";
import type { SpendContext, SpendSettings } from "./spend-context.ts";

/** How many high quotes make the ceiling where the operator set none. */
const timesHigh = 10n;

/**
 * The most that a transaction for these payments may burn, units of the chain's coin: the operator's setting, or else
 * ten times what the high quote is for each of them. Throws `Unavailable` with the node.
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

/** The same for the writer to apply to each of several payments by itself. */
export function feeCeilingOf({ feeCeiling }: Pick<SpendSettings, "feeCeiling">): FeeCeiling {
  return feeCeiling === null ? { timesHigh } : { units: feeCeiling };
}
