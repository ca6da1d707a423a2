import type { BlockSink } from "../../chains/block-sink.ts";
import type { FollowerContext } from "../../chains/follow/follower-session.ts";
import { createDepositSink } from "../../deposits/payments/block-sink.ts";
import { createReceiptSink } from "../../deposits/unattributed/receipt-sink.ts";
import { confirmPayouts } from "../../payouts/change-payouts.ts";
import { createPayoutListener } from "../../payouts/send/spend-listener.ts";
import { createTreasurySink } from "../../treasury/holdings/treasury-sink.ts";
import { detectUnexplained } from "../../treasury/recovery/detect-unexplained.ts";
import { combineListeners, type SpendListener } from "../../treasury/spends/spend-listener.ts";
import { createSpendSink } from "../../treasury/spends/spend-sink.ts";
import { createTreasuryListener } from "../../treasury/sweeping/treasury-listener.ts";
import { isFundedByCoins } from "../families/families.ts";
import type { FollowedChain } from "./build-adapters.ts";
import { distributeBlock } from "./distribute-block.ts";
import { depositContext, type Foundation } from "./foundation.ts";
import { pauseChain } from "./pause-restored.ts";

/** The receivers of blocks and of changes to our own spends. */
export type Sinks = {
  readonly sink: BlockSink;
  readonly ownTxids: NonNullable<FollowerContext["ownTxids"]>;
  readonly listener: SpendListener;
};

/** Connects deposits, payouts, spends and the treasury to the followers. */
export function buildSinks(
  foundation: Foundation,
  followed: readonly Pick<FollowedChain, "adapter">[],
): Sinks {
  const chains = followed.map(({ adapter }) => adapter);
  const listener = combineListeners([
    createTreasuryListener(isFundedByCoins),
    createPayoutListener(foundation),
  ]);
  const spends = createSpendSink(listener);
  return {
    listener,
    ownTxids: spends.readMinable,
    sink: detectUnexplained(
      { logger: foundation.logger, chains, listener, pauseChain },
      distributeBlock({
        treasury: createTreasurySink(chains),
        spends,
        confirmPayouts: (tx, chain, height, now) =>
          confirmPayouts(tx, foundation, chain, height, now),
        receipts: createReceiptSink(foundation, chains),
        deposits: createDepositSink(depositContext(foundation)),
      }),
    ),
  };
}
