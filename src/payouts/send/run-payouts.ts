import { type Instant, secondsBetween } from "../../platform/kernel/clock.ts";
import { Unavailable } from "../../platform/kernel/unavailable.ts";
import { adoptSigned } from "../../treasury/spends/adopt-signed.ts";
import { broadcastDue } from "../../treasury/spends/broadcast-due.ts";
import { excludeNodesBehind } from "../../treasury/spends/exclude-nodes-behind.ts";
import { signAttempts } from "../../treasury/spends/sign-attempts.ts";
import { tryEach } from "../../treasury/spends/try-each.ts";
import { watchSpends } from "../../treasury/spends/watch-spends.ts";
import { freeUnneededNumbers } from "./pay-again.ts";
import type { SendContext } from "./send-context.ts";
import { createPayoutSender } from "./send-payouts.ts";

/**
 * Creates one chain's payout pipeline. A pass adopts what the signer's journal has and the database lacks, opens
 * spends for held payouts, has them signed, broadcasts them, and regularly checks pending ones. Every pass can be
 * killed at any point and can run beside another. After a contradiction between signer and database, or a database
 * outage (which may have been a failover), the next pass reads the whole journal again.
 */
export function createPayoutPipeline(context: SendContext): (signal: AbortSignal) => Promise<void> {
  const sender = createPayoutSender(context);
  let readUpTo = 0;
  let watchedAt: Instant | null = null;

  const takeOver = async (signal: AbortSignal): Promise<boolean> => {
    readUpTo = await adoptSigned(context, readUpTo, signal);
    return !signal.aborted;
  };
  const send = (signal: AbortSignal): Promise<void> =>
    sender.send(signal, () => {
      readUpTo = 0;
    });
  const sign = (signal: AbortSignal): Promise<void> =>
    signAttempts(
      context,
      ({ payoutIds }) => {
        readUpTo = 0;
        sender.refused(payoutIds);
      },
      signal,
    );

  const watch = async (signal: AbortSignal): Promise<void> => {
    const now = context.clock.now();
    const waited = watchedAt === null ? null : secondsBetween(watchedAt, now);
    if (waited !== null && waited >= 0 && waited < context.settings.watchSeconds) return;
    watchedAt = now;
    await freeUnneededNumbers(context);
    await watchSpends(context, context.senders, signal);
  };

  return async (signal) => {
    try {
      await excludeNodesBehind(context);
      let isReady = false;
      const steps = [
        async () => {
          isReady = await takeOver(signal);
        },
        // Start nothing new before everything signed is known.
        async () => (isReady ? send(signal) : undefined),
        async () => (isReady ? sign(signal) : undefined),
        () => broadcastDue(context, signal),
        async () => (isReady ? watch(signal) : undefined),
      ];
      await tryEach(steps, (step) => step());
    } catch (error) {
      if (!(error instanceof Unavailable) || error.what === "database") readUpTo = 0;
      throw error;
    }
  };
}
