import type { BlockSink } from "../../chains/block-sink.ts";
import type { FollowerContext } from "../../chains/follow/follower-session.ts";
import { createDepositSink } from "../../deposits/payments/block-sink.ts";
import { confirmPayouts } from "../../payouts/send/confirm-payouts.ts";
import { createPayoutListener } from "../../payouts/send/spend-listener.ts";
import { watchUnexplained } from "../../treasury/recovery/watch-unexplained.ts";
import { findOwnSpends } from "../../treasury/spends/find-own-spends.ts";
import { joinListeners, type SpendListener } from "../../treasury/spends/spend-listener.ts";
import { createSpendSink } from "../../treasury/spends/spend-sink.ts";
import { createTreasuryListener } from "../../treasury/sweeping/spend-listener.ts";
import type { FollowedChain } from "./build-adapters.ts";
import { isUtxoChain } from "./chain-keyspace.ts";
import { composeSinks } from "./distribute-block.ts";
import { depositContext, type Foundation } from "./foundation.ts";
import { pauseChain } from "./pause-restored.ts";

/** What hears of blocks, and what hears of our own transactions whoever learns of them. */
export type Sinks = {
  readonly sink: BlockSink;
  readonly ownTxids: NonNullable<FollowerContext["ownTxids"]>;
  readonly listener: SpendListener;
};

/** Wires deposits, payouts, spends and treasury to what followers tell. */
export function buildSinks(
  foundation: Foundation,
  followed: readonly Pick<FollowedChain, "adapter">[],
): Sinks {
  const chains = followed.map(({ adapter }) => adapter);
  const listener = joinListeners([
    createTreasuryListener(isUtxoChain),
    createPayoutListener(foundation),
  ]);
  const spends = createSpendSink(listener);
  return {
    listener,
    ownTxids: spends.atLarge,
    sink: watchUnexplained(
      { logger: foundation.logger, chains, pauseChain },
      composeSinks({
        chains,
        spends,
        findOwnSpends,
        deposits: createDepositSink(depositContext(foundation)),
        confirmPayouts: (tx, chain, height, now) =>
          confirmPayouts(tx, foundation, chain, height, now),
      }),
    ),
  };
}
