import { isTracing, type SpanStart } from "../../platform/kernel/tracing.ts";
import type { Spend } from "./spend.ts";
import type { SpendContext } from "./spend-context.ts";

type Traces = ReadonlyMap<string, readonly string[]>;

/** The traces that the spends' payouts continue; none, and no question to the database, unless tracing is configured. */
export async function tracesOf(
  { db, payouts }: Pick<SpendContext, "db" | "payouts">,
  spendIds: readonly string[],
): Promise<Traces> {
  return isTracing() ? await payouts.traces(db, spendIds) : new Map();
}

/** A step of a spend: part of the trace of its oldest payout, linked to those of the others. */
export function spanOf(name: string, { id, chain, kind }: Spend, traces: Traces): SpanStart {
  return {
    name,
    kind: "client",
    causes: traces.get(id) ?? [],
    attributes: { "sluice.chain": chain, "sluice.spend": id, "sluice.spend_kind": kind },
  };
}
