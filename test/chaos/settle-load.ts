import { present } from "../../src/platform/kernel/assert.ts";
import { systemClock } from "../../src/platform/kernel/system-clock.ts";
import { systemRandom } from "../../src/platform/kernel/system-random.ts";
import type { SettleOrder } from "./api-client.ts";
import { assetOf } from "./assets.ts";
import type { Load } from "./load.ts";
import { someone } from "./pay-out-load.ts";

/** A requested decision about an Unresolved deposit; each refund has its own receiver. */
export type RequestedDecision = {
  readonly depositId: string;
  readonly action: SettleOrder["action"];
  readonly key: string;
  readonly address: string;
  /** From the response, even to a retry; null while unknown, and without a refund. */
  payoutId: string | null;
  /** `unknown`: the run ended before a response. */
  outcome: "settled" | "refused" | "unknown";
};

/** Accepts or refunds the payments of Unresolved deposits, or keeps a part, one after the other. */
export async function settleUnresolved(
  load: Load,
  decisions: RequestedDecision[],
  signal: AbortSignal,
): Promise<void> {
  const { chains, choices, client, deployment } = load;
  while (!signal.aborted) {
    const waiting = (await client.unresolvedDeposits(signal)) ?? [];
    if (waiting.length > 0) {
      const { id, relationships } = choices.pick(waiting);
      const { chain } = assetOf(relationships["currency"]?.data?.id ?? "");
      const requested: RequestedDecision = {
        depositId: id,
        key: systemRandom.uuid(),
        address: present(chains.get(chain), chain).newAddress(),
        action: choices.pick(["accept", "refund", "refund", "partial", "partial"]),
        payoutId: null,
        outcome: "unknown",
      };
      decisions.push(requested);
      const attributes = { travel_rule_info: someone, callback_url: deployment.receiverUrl };
      const settled = await client.settle({ ...requested, attributes }, requested.key, signal);
      if (settled !== null) requested.outcome = settled.kind;
      if (settled?.kind === "settled") requested.payoutId = settled.payoutId;
    }
    await systemClock.sleep(choices.integer(300, 1_200), signal);
  }
}
