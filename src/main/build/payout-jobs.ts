import { activateAddresses } from "../../treasury/activation/activate-addresses.ts";
import { refreshUnusable } from "../../treasury/holdings/refresh-unusable.ts";
import { consolidateCoins } from "../../treasury/sweeping/consolidate-coins.ts";
import { moveExcessToCold } from "../../treasury/sweeping/move-excess-to-cold.ts";
import { releasePrepared } from "../../treasury/sweeping/release-prepared.ts";
import { sweepDeposits } from "../../treasury/sweeping/sweep-deposits.ts";
import type { Config } from "../config/config.ts";
import type { Pipeline } from "./build-pipelines.ts";
import { consolidationSettings } from "./consolidation-settings.ts";

type Work = {
  readonly name: string;
  readonly everyMs: number;
  readonly run: (signal: AbortSignal) => Promise<unknown>;
};

/** The recurring work of paying: sending payouts, sweeping deposits, managing the deployment's own funds. */
export function payoutJobs(
  pipelines: readonly Pipeline[],
  { payouts }: Pick<Config, "payouts">,
): readonly Work[] {
  if (pipelines.length === 0) return [];
  const swept = pipelines.flatMap(({ sweep }) => (sweep === null ? [] : [sweep]));
  return [
    ...pipelines.map(({ chain, run }) => ({ name: `payouts ${chain}`, everyMs: 500, run })),
    ...swept.map((sweep) => ({
      name: `sweeping ${sweep.chain.chain}`,
      everyMs: 5_000,
      run: async (signal: AbortSignal) => {
        await sweepDeposits(sweep, signal);
        await releasePrepared(sweep, signal);
      },
    })),
    ...pipelines.flatMap(({ activation, chain }) =>
      activation === null
        ? []
        : [
            {
              name: `activation ${chain}`,
              everyMs: 1_000,
              run: (signal: AbortSignal) => activateAddresses(activation, signal),
            },
          ],
    ),
    {
      name: "unusable-balances",
      everyMs: 60_000,
      run: (signal) => refreshUnusable(swept, signal),
    },
    ...pipelines.flatMap(({ chain, move, cold }): Work[] => [
      ...(move.coins === null
        ? []
        : [
            {
              name: `consolidation ${chain}`,
              everyMs: 600_000,
              run: (signal: AbortSignal) =>
                consolidateCoins(move, consolidationSettings(chain, payouts?.coins_max), signal),
            },
          ]),
      ...(cold === null
        ? []
        : [
            {
              name: `hot-ceiling ${chain}`,
              everyMs: 60_000,
              run: (signal: AbortSignal) => moveExcessToCold(move, cold, signal),
            },
          ]),
    ]),
  ];
}
