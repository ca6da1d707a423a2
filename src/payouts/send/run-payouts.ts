import { type Instant, secondsBetween } from "../../platform/kernel/clock.ts";
import { Unavailable } from "../../platform/kernel/unavailable.ts";
import { adoptSigned } from "../../treasury/spends/adopt-signed.ts";
import { broadcastDue } from "../../treasury/spends/broadcast-due.ts";
import { findSpendsOfTransactions } from "../../treasury/spends/earlier-spends.ts";
import { excludeNodesBehind } from "../../treasury/spends/exclude-nodes-behind.ts";
import { signAttempts } from "../../treasury/spends/sign-attempts.ts";
import { tryEach } from "../../treasury/spends/try-each.ts";
import { watchSpends } from "../../treasury/spends/watch-spends.ts";
import { freeUnneededNumbers } from "./pay-again.ts";
import { isAnythingToSend } from "./send.store.ts";
import type { SendContext } from "./send-context.ts";
import { createPayoutSender } from "./send-payouts.ts";

/**
 * Creates one chain's payout pipeline. A pass adopts what the signer's journal has and the database lacks, opens
 * spends for held payouts, has them signed, broadcasts them, and regularly checks pending ones. Every pass can be
 * killed at any point and can run beside another. After a contradiction between signer and database, or a database
 * outage (which may have been a failover), the next pass reads the whole journal again. A refusal alone is none: the
 * signer has limits of its own.
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
  const sign = async (signal: AbortSignal): Promise<void> => {
    const refused: string[] = [];
    const request = (): Promise<void> =>
      signAttempts(
        context,
        ({ payoutIds }) => {
          refused.push(...payoutIds);
          sender.refused(payoutIds);
        },
        signal,
      );
    const compare = async (): Promise<void> => {
      const known = readUpTo;
      readUpTo = 0;
      if (!(await isBehindSigner(context, refused))) readUpTo = known;
    };
    await tryEach([request, compare], (step) => step());
  };

  const isWatchDue = (): boolean => {
    const waited = watchedAt === null ? null : secondsBetween(watchedAt, context.clock.now());
    return waited === null || waited < 0 || waited >= context.settings.watchSeconds;
  };
  const watch = async (signal: AbortSignal): Promise<void> => {
    watchedAt = context.clock.now();
    await freeUnneededNumbers(context);
    await watchSpends(context, context.senders, signal);
  };

  const spend = async (isReady: boolean, signal: AbortSignal): Promise<void> => {
    // Most passes of most chains end here, after a single statement.
    const isBusy = await isAnythingToSend(context.db, context.chain);
    const isWatching = isReady && isWatchDue();
    if (!isBusy && !isWatching) return;
    await excludeNodesBehind(context);
    const steps = [
      // Start nothing new before everything signed is known.
      ...(isBusy && isReady ? [send, sign] : []),
      ...(isBusy ? [(stop: AbortSignal) => broadcastDue(context, stop)] : []),
      ...(isWatching ? [watch] : []),
    ];
    await tryEach(steps, (step) => step(signal));
  };

  return async (signal) => {
    try {
      let isReady = false;
      const steps = [
        async () => {
          isReady = await takeOver(signal);
        },
        () => spend(isReady, signal),
      ];
      await tryEach(steps, (step) => step());
    } catch (error) {
      if (!(error instanceof Unavailable) || error.what === "database") readUpTo = 0;
      throw error;
    }
  };
}

/** Whether the signer has signed a transaction for one of these payouts that the database lacks. */
async function isBehindSigner(
  { db, chain, payoutsSigned }: SendContext,
  payoutIds: readonly string[],
): Promise<boolean> {
  if (payoutIds.length === 0) return false;
  const signed = await payoutsSigned(payoutIds);
  const txids = signed.flatMap((payout) => payout.txids);
  return (await findSpendsOfTransactions(db, chain, txids)) === null;
}
