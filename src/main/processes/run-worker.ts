import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { readSigningKeys } from "../../accounts/credentials/read-signing-keys.ts";
import { deleteExpired } from "../../accounts/delete-expired.ts";
import { compileCallbackPolicy } from "../../callbacks/callback-url.ts";
import { fillCallbackWallets } from "../../callbacks/callback-wallets.store.ts";
import {
  defaultDispatchSettings,
  dispatchCallbacks,
} from "../../callbacks/deliver/dispatch-callbacks.ts";
import { dnsResolver } from "../../callbacks/deliver/resolve-host.ts";
import { signWithEndpointSecrets } from "../../callbacks/endpoints/sign-with-endpoint-secrets.ts";
import { relayEvents } from "../../callbacks/events/event-feed.ts";
import { followChain } from "../../chains/follow/follower.ts";
import { defaultFollowerSettings } from "../../chains/follow/follower-session.ts";
import { pruneBlocks } from "../../chains/follow/prune-blocks.ts";
import { fillPools } from "../../chains/pools/fill-pools.ts";
import { createSecondOpinion } from "../../chains/second-opinion.ts";
import {
  createRateProviders,
  type RateSourceSettings,
} from "../../currencies/rates/create-rate-providers.ts";
import { createFetchText } from "../../currencies/rates/fetch-text.ts";
import { refreshSeconds } from "../../currencies/rates/freshness.ts";
import { refreshRates } from "../../currencies/rates/refresh-rates.ts";
import { deleteOldCreationKeys } from "../../deposits/create/creation-key.store.ts";
import { askSecondOpinions } from "../../deposits/payments/ask-second-opinions.ts";
import { concludeExpiries } from "../../deposits/payments/conclude-expiries.ts";
import { decideReported } from "../../deposits/payments/decide-reported.ts";
import { pricePending } from "../../deposits/payments/price-pending.ts";
import { createRememberPayments } from "../../deposits/payments/remember-payments.ts";
import { vouchForReceipts } from "../../deposits/unattributed/vouch-for-receipts.ts";
import { foldPositions } from "../../ledger/position.store.ts";
import { createNodeWatch } from "../../notifications/watch-nodes.ts";
import { isReadingStopped } from "../../payouts/controls/pause.store.ts";
import { readTracesOfPayouts } from "../../payouts/payout-trace.store.ts";
import { applyDueChanges } from "../../payouts/protection/apply-due-changes.ts";
import { endFutureLeases } from "../../platform/jobs/end-leases.store.ts";
import { keepPartitions } from "../../platform/jobs/keep-partitions.ts";
import { type PeriodicJob, runPeriodically } from "../../platform/jobs/periodic.ts";
import { untilAvailable } from "../../platform/jobs/until-available.ts";
import type { SignerClient } from "../../signer/signer-client.ts";
import { ensureTreasury } from "../../treasury/holdings/ensure-treasury.ts";
import { reviewCoins } from "../../treasury/holdings/review-coins.ts";
import { awaitNewestDatabase, markJob } from "../../treasury/recovery/await-newest-database.ts";
import type { MarkContext } from "../../treasury/recovery/sync-mark.ts";
import { confirmOutcomes } from "../../treasury/spends/confirm-outcomes.ts";
import type { SpendListener } from "../../treasury/spends/spend-listener.ts";
import { buildAdapters, type FollowedChain } from "../build/build-adapters.ts";
import { buildPipelines, type Pipeline } from "../build/build-pipelines.ts";
import { buildPools } from "../build/build-pools.ts";
import { buildSinks } from "../build/build-sink.ts";
import { callbackSettings } from "../build/callback-settings.ts";
import { createScreening } from "../build/create-screening.ts";
import { depositContext, type Foundation } from "../build/foundation.ts";
import { mailJobs, type Work } from "../build/mail.ts";
import { createMempoolCheck } from "../build/mempool-check.ts";
import { pauseAllChains, pauseChain } from "../build/pause-restored.ts";
import { payoutJobs } from "../build/payout-jobs.ts";
import { pushJobs } from "../build/push.ts";
import { createReconciliation } from "../build/reconcile-chains.ts";
import { screeningJobs } from "../build/screening-jobs.ts";
import { isSandbox } from "../config/is-sandbox.ts";
import type { Metrics } from "../metrics/metrics.ts";

const dnsTimeoutMs = 3_000;
/** How long a job may pause after its process died, unless configured. */
const defaultJobLeaseMs = 15_000;

/**
 * Does all that happens without being asked: follows chains, ends expired deposits, delivers callbacks, refreshes rates.
 * Stops while this process's clock is off. Resolves when `signal` aborts and everything has come to rest. Any number of workers run side by side.
 */
export async function runWorker(
  foundation: Foundation,
  metrics: Metrics,
  signer: SignerClient,
  signal: AbortSignal,
): Promise<void> {
  const { db, clock, random, logger, clockGuard } = foundation;
  const holder = `${hostname()}/${process.pid}/${randomUUID().slice(0, 8)}`;
  const mayAsk = await signer.rights();
  const chains = await buildAdapters(foundation, await signer.accountKeys(), signer.claimCoins);
  await ensureTreasury(
    { db, clock },
    chains.map(({ adapter }) => adapter),
  );
  logger.info("worker is running", {
    chains: chains.map(({ adapter }) => adapter.chain),
    signerRights: mayAsk,
  });
  const { sink, ownTxids, listener } = buildSinks(foundation, chains);
  const pipelines =
    foundation.config.payouts === undefined || !mayAsk.includes("sign")
      ? []
      : buildPipelines(
          foundation,
          chains.map(({ adapter }) => adapter),
          listener,
          signer,
        );
  const leaseSeconds = foundation.config.worker.lease_seconds;
  const jobLeaseMs = leaseSeconds === undefined ? defaultJobLeaseMs : leaseSeconds * 1000;
  const common = { db, clock, random, logger, holder };
  const running = { ...common, onRun: metrics.observeJob };
  const mark: MarkContext = {
    db,
    clock,
    logger,
    signer,
    adoptSigned: async (stop) => {
      for (const pipeline of pipelines) await pipeline.adoptSigned(stop);
    },
    pausePayouts: (tx, reason, now) => pauseAllChains(tx, foundation, reason, now),
  };
  // Without this right, the jobs that need it are other workers'.
  const recovery = mayAsk.includes("sign") ? markJob(mark, jobLeaseMs) : null;
  const pools = mayAsk.includes("addresses") ? buildPools(foundation, chains) : null;
  const mailing = await mailJobs(foundation);
  const pushing = pushJobs(foundation, isSandbox(foundation.config));
  const jobs = [
    ...(recovery === null ? [] : [recovery]),
    ...(await recurringJobs(
      foundation,
      chains,
      { pipelines, listener, signer, pools, telling: [...mailing.jobs, ...pushing.jobs] },
      jobLeaseMs,
    )),
  ];
  const settings =
    leaseSeconds === undefined
      ? defaultFollowerSettings
      : { ...defaultFollowerSettings, leaseMs: leaseSeconds * 1000 };
  const work = async (working: AbortSignal): Promise<void> => {
    await untilAvailable({ clock }, () => endFutureLeases(db, clock.now()), working);
    await awaitNewestDatabase(mark, running, recovery, working);
    await Promise.all([
      ...chains.map(({ adapter, startHeight }) =>
        followChain(
          {
            ...common,
            adapter,
            sink,
            startHeight,
            settings,
            ownTxids,
            supplyOf: (currency) => foundation.currencies.get(currency).supplyUnits,
            atTip: createMempoolCheck({ ...foundation, pauseChain }, adapter),
            isHeld: isReadingStopped,
            onProgress: metrics.observeProgress,
          },
          working,
        ),
      ),
      ...jobs.map((job) => runPeriodically(running, job, working)),
      deliverCallbacks(foundation, metrics, working),
    ]);
  };
  try {
    await clockGuard.runWhileWithinBound(work, signal);
  } finally {
    mailing.close();
    await pushing.close();
    await Promise.all(chains.map(({ close }) => close()));
  }
}

function deliverCallbacks(
  foundation: Foundation,
  metrics: Metrics,
  signal: AbortSignal,
): Promise<void> {
  const { db, clock, random, logger, seal, config } = foundation;
  return dispatchCallbacks(
    {
      db,
      clock,
      random,
      logger,
      policy: compileCallbackPolicy(callbackSettings(config)),
      resolve: dnsResolver(dnsTimeoutMs),
      readSigningKeys: signWithEndpointSecrets(
        { db, clock, seal },
        async (accountId, credentialId) => {
          const keys = await readSigningKeys({ db, seal, clock }, [{ accountId, credentialId }]);
          return keys.get(credentialId) ?? null;
        },
      ),
      onAttempt: metrics.observeAttempt,
      readTraces: (payoutIds) => readTracesOfPayouts(db, payoutIds),
      settings: {
        ...defaultDispatchSettings,
        retryDelaysSeconds:
          config.callbacks.retry_seconds ?? defaultDispatchSettings.retryDelaysSeconds,
        failuresToOpen: config.callbacks.failures_to_open,
      },
    },
    signal,
  );
}

async function recurringJobs(
  foundation: Foundation,
  chains: readonly FollowedChain[],
  spending: {
    readonly pipelines: readonly Pipeline[];
    readonly listener: SpendListener;
    readonly signer: SignerClient;
    /** Null: this worker may not issue addresses. */
    readonly pools: ReturnType<typeof buildPools> | null;
    /** Of notifications and other emails. */
    readonly telling: readonly Work[];
  },
  leaseMs: number,
): Promise<readonly PeriodicJob[]> {
  const { pipelines, listener, signer, pools, telling } = spending;
  const { db, clock, logger, config, currencies, enabledChains } = foundation;
  const deposits = { ...depositContext(foundation), db, clock, logger };
  const fetchText = createFetchText({ clock });
  const sources: readonly RateSourceSettings[] = config.rates.sources.map(
    ({ source, base_url }) => ({
      source: source as RateSourceSettings["source"],
      ...(base_url === undefined ? {} : { baseUrl: base_url }),
    }),
  );
  const providers = createRateProviders(sources, currencies, fetchText, clock);
  const screening = await createScreening(config, fetchText);
  const idleChains = chains.filter(({ isIdle }) => isIdle).map(({ adapter }) => adapter.chain);
  const job = (
    name: string,
    everyMs: number,
    run: (signal: AbortSignal) => Promise<unknown>,
  ): PeriodicJob => ({
    name,
    everyMs,
    leaseMs,
    run: async (signal) => {
      await run(signal);
    },
  });
  return [
    job("rates", refreshSeconds * 1000, (signal) =>
      refreshRates({ db, providers, clock, logger }, signal),
    ),
    ...(pools === null
      ? []
      : [
          job("address-pools", 1_000, (signal) =>
            fillPools(
              { db, clock, logger, signer, pools, size: config.deposits.addresses_ahead },
              signal,
            ),
          ),
        ]),
    job("event-relay", 100, () => relayEvents({ db })),
    job("deposit-decisions", 250, (signal) => decideReported(deposits, signal)),
    job("expiries", 1_000, () => concludeExpiries({ ...deposits, idleChains })),
    job("pending-prices", 2_000, () => pricePending(deposits)),
    ...chains.map(({ adapter }) => {
      const secondOpinion = createSecondOpinion({ db, clock, logger, adapter });
      const rememberPayments = createRememberPayments({ ...deposits, secondOpinion });
      return job(`second-opinions ${adapter.chain}`, 1_000, async (signal) => {
        if (!(await isReadingStopped(deposits.db, secondOpinion.chain)))
          await askSecondOpinions({ ...deposits, secondOpinion }, signal);
        await vouchForReceipts({ ...deposits, secondOpinion }, signal);
        await confirmOutcomes({ db, clock, logger, listener, secondOpinion }, signal);
        await secondOpinion.recordDoubts();
        await rememberPayments(signal);
      });
    }),
    job("reconciliation", 2_000, createReconciliation({ db, clock, logger, chains, currencies })),
    job("doubted-coins", 60_000, (signal) =>
      Promise.all(
        chains.map(({ adapter: { chain, reader } }) =>
          reviewCoins({ db, logger, chain, reader }, signal),
        ),
      ),
    ),
    job("positions", 5_000, () => foldPositions(db)),
    job("old-blocks", 600_000, () =>
      Promise.all(chains.map(({ adapter }) => pruneBlocks(db, adapter))),
    ),
    job("old-deposit-keys", 600_000, () => deleteOldCreationKeys(db, clock.now())),
    job("partitions", 3_600_000, () =>
      keepPartitions({ db, clock, logger }, [
        {
          table: "callback_attempt",
          column: "attempted_at",
          retentionDays: config.retention.callback_attempts_days ?? null,
        },
      ]),
    ),
    job("node-watch", 5_000, createNodeWatch({ db, clock, chains: [...enabledChains] })),
    job("expired-sessions", 600_000, () => deleteExpired({ db, clock })),
    job("protection-changes", 1_000, (signal) =>
      applyDueChanges({ db, clock, currencies }, signal),
    ),
    job("callback-wallets", 60_000, (signal) => fillCallbackWallets(db, signal)),
    ...[
      ...payoutJobs(pipelines, config),
      ...screeningJobs({ ...foundation, ...deposits }, screening),
      ...telling,
    ].map(({ name, everyMs, run }) => job(name, everyMs, run)),
  ];
}
