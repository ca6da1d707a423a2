import { systemClock } from "../../src/platform/kernel/system-clock.ts";
import { systemRandom } from "../../src/platform/kernel/system-random.ts";
import type { SettleOrder } from "./api-client.ts";
import type { Load } from "./load.ts";
import { newAddress, someone } from "./pay-out-load.ts";

/** A decision about an Unresolved deposit, as it was asked for; what goes back does so to an address of its own. */
export type AskedDecision = {
  readonly depositId: string;
  readonly action: SettleOrder["action"];
  readonly key: string;
  readonly address: string;
  /** As answered, be it to a second try; null while nobody knows, and where nothing is paid back. */
  payoutId: string | null;
  /** `unknown`: the run ended before there was an answer. */
  outcome: "settled" | "refused" | "unknown";
};

const chains: Readonly<Record<string, string>> = { "1000": "BTC", "1003": "LTC" };

/** Accepts what waits in Unresolved deposits, pays it back, or keeps a part of it, one after the other. */
export async function settleUnresolved(
  load: Load,
  decisions: AskedDecision[],
  signal: AbortSignal,
): Promise<void> {
  const { choices, client, deployment } = load;
  while (!signal.aborted) {
    const waiting = (await client.unresolvedDeposits(signal)) ?? [];
    if (waiting.length > 0) {
      const { id, relationships } = choices.pick(waiting);
      const chain = chains[relationships["currency"]?.data?.id ?? ""] ?? "ETH";
      const asked: AskedDecision = {
        depositId: id,
        key: systemRandom.uuid(),
        address: newAddress(chain),
        action: choices.pick(["accept", "refund", "refund", "partial", "partial"]),
        payoutId: null,
        outcome: "unknown",
      };
      decisions.push(asked);
      const attributes = { travel_rule_info: someone, callback_url: deployment.receiverUrl };
      const settled = await client.settle({ ...asked, attributes }, asked.key, signal);
      if (settled !== null) asked.outcome = settled.kind;
      if (settled?.kind === "settled") asked.payoutId = settled.payoutId;
    }
    await systemClock.sleep(choices.integer(300, 1_200), signal);
  }
}
