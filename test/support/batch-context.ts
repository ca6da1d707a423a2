import type { PayoutBatchContext } from "../../src/http/payouts/payout-batch.ts";
import { systemRandom } from "../../src/platform/kernel/system-random.ts";
import { approvalMessage } from "../../src/signer/intent.ts";
import type { DepositWorld } from "./deposit-world.ts";
import { type PayoutWorld, payoutSeal } from "./payout-world.ts";

/** What `/payout-batch/` needs, for tests: no payout of a batch stays inside the service, and a signer gives every payout back. */
export function batchContext(world: DepositWorld, payouts: PayoutWorld): PayoutBatchContext {
  return {
    ...payouts.context,
    db: world.database.db,
    clock: world.clock,
    random: systemRandom,
    seal: payoutSeal,
    approving: {
      ...world.context,
      approve: approvalMessage,
      payInternally: () => Promise.reject(new Error("no payout stays inside the service here")),
      withdrawFromSpend: () => Promise.resolve(true),
      approverMinAgeSeconds: 0,
    },
  };
}
