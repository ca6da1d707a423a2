import { createSecretKey } from "node:crypto";
import type { Database } from "../../platform/db/database.ts";
import { microBatch } from "../../platform/db/micro-batch.ts";
import { present } from "../../platform/kernel/assert.ts";
import { addSeconds, type Clock, type Instant } from "../../platform/kernel/clock.ts";
import { errorMessage } from "../../platform/kernel/error-message.ts";
import { createFailureLog } from "../../platform/kernel/failure-log.ts";
import type { Logger } from "../../platform/kernel/logger.ts";
import type { Random } from "../../platform/kernel/random.ts";
import type { CallbackPolicy } from "../callback-url.ts";
import { webhookSecretBytes } from "./callback-signature.ts";
import { claimProbes } from "./claim-probes.ts";
import { composeDelivery, type DeliveryKeys } from "./compose-delivery.ts";
import { decideAttempt } from "./decide-attempt.ts";
import {
  type ClaimedCallback,
  type CompletedAttempt,
  claimCallbacks,
  claimResentCallbacks,
  completeAttempts,
  findAvailableHosts,
  isAnyCallbackAvailable,
  releaseCallbacks,
} from "./dispatch.store.ts";
import type { BreakerSettings } from "./host-breaker.ts";
import type { HostKey } from "./host-breakers.store.ts";
import {
  defaultLaneSettings,
  HostLanes,
  type LaneItem,
  type LaneSettings,
  laneKey,
} from "./host-lanes.ts";
import { keepBriefly } from "./keep-briefly.ts";
import { defaultPostSettings, deliveryPoster, type PostSettings } from "./post-delivery.ts";
import type { ResolveHost } from "./resolve-host.ts";
import { defaultRetrySettings, type RetrySettings } from "./retry-schedule.ts";
import { type AttemptRecord, updateBreakers } from "./update-breakers.ts";

export type DispatchSettings = RetrySettings &
  PostSettings &
  LaneSettings &
  BreakerSettings & {
    /** How often an idle dispatcher looks for due callbacks. */
    readonly pollMs: number;
    /**
     * How long a claim holds. What a killed dispatcher was sending is sent again after that. Longer than the total
     * timeout plus the difference between the clocks of two workers.
     */
    readonly leaseSeconds: number;
    readonly claimMax: number;
    /** On stopping, deliveries under way may take so long before they are cut off (and sent again by another). */
    readonly stopGraceMs: number;
  };

export const defaultDispatchSettings: DispatchSettings = {
  ...defaultRetrySettings,
  ...defaultPostSettings,
  ...defaultLaneSettings,
  failuresToOpen: 10,
  openSecondsMin: 60,
  openSecondsMax: 1800,
  pollMs: 100,
  leaseSeconds: 30,
  claimMax: 1_000,
  stopGraceMs: 5_000,
};

export type SigningKeys = {
  /** Raw SHA-256 of login and password. */
  readonly callbackKey: Uint8Array;
  /** Standard Webhooks secret of the account, `whsec_` and base64. */
  readonly webhookSecret: string;
  /** The one before it, while receivers change over. */
  readonly formerWebhookSecret?: string | null;
};

export type DispatchContext = {
  readonly db: Database;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly policy: CallbackPolicy;
  readonly resolve: ResolveHost;
  /** What the credential's callbacks are signed with, also when it was revoked; null when there is no such credential. */
  readonly readSigningKeys: (
    accountId: string,
    credentialId: string,
  ) => Promise<SigningKeys | null>;
  /** Told of every attempt that was recorded. */
  readonly onAttempt: (attempt: CompletedAttempt) => void;
  readonly settings: DispatchSettings;
};

/**
 * Delivers callbacks until `signal` aborts, then lets those under way end and resolves. Any number of dispatchers work
 * side by side: a claimed row is one dispatcher's until its lease is over.
 */
export async function dispatchCallbacks(
  context: DispatchContext,
  signal: AbortSignal,
): Promise<void> {
  await new Dispatcher(context).run(signal);
}

const scanPauseMaxMs = 5_000;

/**
 * How long to wait after a look that took so long. With very many receivers the look itself takes a while: it gets a fifth of
 * the time at most, but a database that was silent for once must not silence the callbacks for minutes.
 */
export function scanPauseMs(tookMs: number, pollMs: number): number {
  return Math.max(pollMs * 0.9, Math.min(tookMs * 4, scanPauseMaxMs));
}

class Dispatcher {
  readonly #context: DispatchContext;
  readonly #lanes: HostLanes;
  readonly #poster: ReturnType<typeof deliveryPoster>;
  readonly #record: (record: AttemptRecord) => Promise<void>;
  readonly #keysOf: (accountId: string, credentialId: string) => Promise<DeliveryKeys>;
  readonly #underWay = new Set<Promise<void>>();
  /** Receivers whose breaker opened since the last look began: what was being read of them meanwhile is out of date. */
  readonly #opened = new Set<string>();
  #wake = new AbortController();
  #scanAt: Instant;

  constructor(context: DispatchContext) {
    this.#context = context;
    const { clock, settings } = context;
    this.#lanes = new HostLanes(settings);
    this.#poster = deliveryPoster(context, settings);
    this.#scanAt = clock.now();
    this.#record = microBatch((records) => this.#recordBatch(records), {
      slots: 1,
      maxSize: 1_000,
    });
    const keeping = { seconds: 30, countMax: 10_000 };
    this.#keysOf = keepBriefly(
      (accountId, credentialId) => openKeys(context, accountId, credentialId),
      clock,
      keeping,
    );
  }

  async run(signal: AbortSignal): Promise<void> {
    const { clock, settings } = this.#context;
    signal.addEventListener("abort", () => {
      this.#wake.abort("stop");
    });
    const claims = createFailureLog(this.#context, {
      level: "warn",
      failing: "callbacks could not be claimed",
      fields: {},
      over: "callbacks are claimed again",
    });
    while (!signal.aborted) {
      this.#wake = new AbortController();
      try {
        await this.#scan();
        await this.#claim();
        claims.succeeded();
        this.#sendReady();
        await clock.sleep(settings.pollMs, this.#wake.signal);
      } catch (error) {
        claims.failed(error);
        await clock.sleep(1_000, signal);
      }
    }
    await this.#stop();
  }

  /** Looks which receivers have due callbacks; takes half-open receivers' probes and resends while at it. */
  async #scan(): Promise<void> {
    const { db, clock, settings } = this.#context;
    const now = clock.now();
    if (now < this.#scanAt) return;
    this.#opened.clear();
    const isAny = await isAnyCallbackAvailable(db, now);
    const hosts = isAny ? await findAvailableHosts(db, now) : [];
    const mayReceive = hosts.filter((host) => !host.isHalfOpen && !this.#hasOpened(host));
    this.#lanes.refresh(mayReceive);
    if (isAny) {
      const until = addSeconds(now, settings.leaseSeconds);
      const halfOpen = this.#lanes.admit(hosts.filter((host) => host.isHalfOpen));
      for (const probe of await claimProbes(db, halfOpen, now, until)) {
        this.#lanes.enqueue(probe, true);
      }
      for (const resent of await claimResentCallbacks(db, settings.claimMax, now, until)) {
        this.#lanes.enqueue(resent, false);
      }
    }
    const tookMs = (clock.now() - now) / 1000;
    this.#scanAt = addSeconds(clock.now(), scanPauseMs(tookMs, settings.pollMs) / 1000);
  }

  async #claim(): Promise<void> {
    const { db, clock, settings } = this.#context;
    const demanded = this.#lanes.demand(settings.claimMax);
    if (demanded.length === 0) return;
    const now = clock.now();
    const until = addSeconds(now, settings.leaseSeconds);
    const claimed = await claimCallbacks(db, demanded, now, until);
    const late = claimed.filter((callback) => this.#hasOpened(callback));
    const inTime = claimed.filter((callback) => !this.#hasOpened(callback));
    this.#lanes.accept(demanded, inTime);
    await this.#release(late);
  }

  #hasOpened(host: HostKey): boolean {
    return this.#opened.has(laneKey(host));
  }

  #sendReady(): void {
    for (;;) {
      const item = this.#lanes.takeNext();
      if (item === null) break;
      const sending = this.#send(item).finally(() => {
        this.#underWay.delete(sending);
      });
      this.#underWay.add(sending);
    }
    if (this.#lanes.isHungry()) this.#wake.abort("work");
  }

  async #send(item: LaneItem): Promise<void> {
    const attempt = await this.#attempt(item).catch((error: unknown) => {
      this.#logLoss("callback could not be made", item, error);
      return null;
    });
    if (attempt === null) {
      this.#lanes.finish(item, null);
      this.#sendReady();
      return;
    }
    const delivered = attempt.status === "delivered";
    const recorded = this.#record({
      attempt,
      isProbe: item.isProbe,
      isTroubled: item.lane.isTroubled,
    }).catch((error: unknown) => {
      // The claim lapses and it is sent again: at least once.
      this.#logLoss("callback attempt could not be recorded", item, error);
    });
    // After a failure the breaker has its say before the receiver gets the next one.
    if (!delivered) await recorded;
    this.#lanes.finish(item, { delivered, durationMs: attempt.durationMs });
    this.#sendReady();
    await recorded;
  }

  #logLoss(message: string, item: LaneItem, error: unknown): void {
    this.#context.logger.error(message, {
      callback: item.callback.id,
      error: errorMessage(error),
    });
  }

  /** Sends one callback. Null when it was not sent, or cut off: its claim lapses or is given back. */
  async #attempt({ callback }: LaneItem): Promise<CompletedAttempt | null> {
    const { clock, db, random, settings } = this.#context;
    const keys = await this.#keysOf(callback.accountId, callback.credentialId);
    const attemptedAt = clock.now();
    // An answer that came after the claim had lapsed would cross another dispatcher's attempt.
    const endsAt = addSeconds(attemptedAt, settings.totalTimeoutMs / 1000);
    if (endsAt > callback.claimedUntil) return null;
    const delivery = composeDelivery(callback, keys, attemptedAt);
    const outcome = await this.#poster.post(delivery);
    if (outcome.error === "aborted") {
      await releaseCallbacks(db, [callback]);
      return null;
    }
    const times = { attemptedAt, now: clock.now() };
    return decideAttempt(callback, outcome, times, random, settings);
  }

  async #recordBatch(records: readonly AttemptRecord[]): Promise<readonly undefined[]> {
    const { clock, db, logger, onAttempt } = this.#context;
    const attempts = records.map((record) => record.attempt);
    await completeAttempts(db, attempts, clock.now());
    attempts.forEach(onAttempt);
    await this.#tellBreakers(records).catch((error: unknown) => {
      logger.warn("circuit breakers were not told", { error: errorMessage(error) });
    });
    return records.map(() => undefined);
  }

  async #tellBreakers(records: readonly AttemptRecord[]): Promise<void> {
    const { clock, db, settings } = this.#context;
    for (const breaker of await updateBreakers(db, records, clock.now(), settings)) {
      if (breaker.consecutiveFailures === 0) this.#lanes.calm(breaker);
      if (breaker.openUntil === null) continue;
      this.#opened.add(laneKey(breaker));
      await this.#release(this.#lanes.drop(breaker));
    }
  }

  async #release(callbacks: readonly ClaimedCallback[]): Promise<void> {
    if (callbacks.length > 0) await releaseCallbacks(this.#context.db, callbacks);
  }

  async #stop(): Promise<void> {
    const { clock, logger, settings } = this.#context;
    await this.#release(this.#lanes.dropAll()).catch((error: unknown) => {
      logger.warn("claimed callbacks lapse by themselves", { error: errorMessage(error) });
    });
    const ended = new AbortController();
    const underWay = Promise.all(this.#underWay).then(() => {
      ended.abort();
    });
    await clock.sleep(settings.stopGraceMs, ended.signal);
    this.#poster.abortAll();
    await underWay;
    await this.#poster.close();
  }
}

async function openKeys(
  context: DispatchContext,
  accountId: string,
  credentialId: string,
): Promise<DeliveryKeys> {
  const keys = present(
    await context.readSigningKeys(accountId, credentialId),
    `credential ${credentialId} of a callback exists`,
  );
  const former = keys.formerWebhookSecret ?? null;
  return {
    callbackKey: createSecretKey(keys.callbackKey),
    webhookSecret: createSecretKey(webhookSecretBytes(keys.webhookSecret)),
    ...(former === null
      ? {}
      : { formerWebhookSecret: createSecretKey(webhookSecretBytes(former)) }),
  };
}
