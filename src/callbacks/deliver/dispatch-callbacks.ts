import { createSecretKey } from "node:crypto";
import type { Database } from "../../platform/db/database.ts";
import { microBatch } from "../../platform/db/micro-batch.ts";
import { present } from "../../platform/kernel/assert.ts";
import { addSeconds, type Clock, type Instant } from "../../platform/kernel/clock.ts";
import { errorMessage } from "../../platform/kernel/error-message.ts";
import { createFailureLog } from "../../platform/kernel/failure-log.ts";
import type { Logger } from "../../platform/kernel/logger.ts";
import type { Random } from "../../platform/kernel/random.ts";
import {
  currentTraceparent,
  isTracing,
  type SpanStart,
  traced,
} from "../../platform/kernel/tracing.ts";
import type { CallbackPolicy } from "../callback-url.ts";
import { cacheBriefly } from "./cache-briefly.ts";
import { webhookSecretBytes } from "./callback-signature.ts";
import { chooseClaiming } from "./claim-by-account.store.ts";
import { composeDelivery, type Delivery, type DeliveryKeys } from "./compose-delivery.ts";
import {
  type ClaimedCallback,
  type Claiming,
  type CompletedAttempt,
  completeAttempts,
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
import {
  defaultPostSettings,
  deliveryPoster,
  type PostOutcome,
  type PostSettings,
} from "./post-delivery.ts";
import type { ResolveHost } from "./resolve-host.ts";
import { decideAttempt, defaultRetrySettings, type RetrySettings } from "./retry-schedule.ts";
import { type AttemptRecord, claimProbes, updateBreakers } from "./use-breakers.ts";

export type DispatchSettings = RetrySettings &
  PostSettings &
  LaneSettings &
  BreakerSettings & {
    /** How often an idle dispatcher looks for due callbacks. */
    readonly pollMs: number;
    /**
     * How long a claim lasts. Callbacks of a killed dispatcher are sent again after that. Must exceed the total
     * timeout plus twice the clock skew allowed (`docs/decisions/clock-skew.md`).
     */
    readonly leaseSeconds: number;
    readonly claimMax: number;
    /** On shutdown, how long deliveries in flight may take before they are aborted (and sent again by another dispatcher). */
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
  /** Standard Webhooks secret of the account or of the endpoint, `whsec_` and base64. */
  readonly webhookSecret: string;
  /** The previous secret, during a rotation. */
  readonly formerWebhookSecret?: string | null;
};

export type DispatchContext = {
  readonly db: Database;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly policy: CallbackPolicy;
  readonly resolve: ResolveHost;
  /**
   * The signing keys of a credential, even a revoked one, with the secret of a webhook endpoint, if there is one, in place of the account's.
   * Null if either does not exist.
   */
  readonly readSigningKeys: (
    accountId: string,
    credentialId: string,
    endpointId: string | null,
  ) => Promise<SigningKeys | null>;
  /** The trace that the payouts with these ids continue, by id; asked only while tracing is configured. */
  readonly readTraces?: (payoutIds: readonly string[]) => Promise<ReadonlyMap<string, string>>;
  /** Called after each recorded attempt. */
  readonly onAttempt: (attempt: CompletedAttempt) => void;
  readonly settings: DispatchSettings;
};

/**
 * Delivers callbacks until `signal` aborts, then waits for deliveries in flight. Any number of dispatchers can run in
 * parallel: a claimed callback belongs to one dispatcher until its claim expires.
 */
export async function dispatchCallbacks(
  context: DispatchContext,
  signal: AbortSignal,
): Promise<void> {
  await new Dispatcher(context).run(signal);
}

const scanPauseMaxMs = 5_000;

/**
 * The pause after a scan that took `tookMs`. With very many receivers a scan is slow, so scans take at most a fifth of
 * the time; but one slow answer of the database must not delay callbacks for minutes.
 */
export function scanPauseMs(tookMs: number, pollMs: number): number {
  return Math.max(pollMs * 0.9, Math.min(tookMs * 4, scanPauseMaxMs));
}

class Dispatcher {
  readonly #context: DispatchContext;
  readonly #lanes: HostLanes;
  readonly #poster: ReturnType<typeof deliveryPoster>;
  readonly #record: (record: AttemptRecord) => Promise<void>;
  /** The endpoint is "" for a callback URL. */
  readonly #keysOf: (
    accountId: string,
    credentialId: string,
    endpointId: string,
  ) => Promise<DeliveryKeys>;
  readonly #inFlight = new Set<Promise<void>>();
  /** Receivers whose breaker opened since the last scan began: results for them read since then are stale. */
  readonly #opened = new Set<string>();
  #wake = new AbortController();
  #scanAt: Instant;
  #claiming: Claiming | null = null;

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
    this.#keysOf = cacheBriefly(
      (accountId: string, credentialId: string, endpointId: string) =>
        importKeys(context, accountId, credentialId, endpointId === "" ? null : endpointId),
      clock,
      { seconds: 30, countMax: 10_000 },
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

  /** Finds receivers with due callbacks, and claims probes and resent callbacks. */
  async #scan(): Promise<void> {
    const { db, clock, settings } = this.#context;
    const now = clock.now();
    if (now < this.#scanAt) return;
    this.#opened.clear();
    const isAny = await isAnyCallbackAvailable(db, now);
    this.#claiming ??= await chooseClaiming(db);
    const hosts = isAny ? await this.#claiming.findHosts(db, now) : [];
    const mayReceive = hosts.filter((host) => !host.isHalfOpen && !this.#hasOpened(host));
    this.#lanes.refresh(mayReceive);
    if (isAny) {
      const until = addSeconds(now, settings.leaseSeconds);
      const halfOpen = this.#lanes.admit(hosts.filter((host) => host.isHalfOpen));
      for (const probe of await claimProbes(db, this.#claiming, halfOpen, now, until)) {
        this.#lanes.enqueue(probe, true);
      }
      const resent = await this.#claiming.findResent(db, now);
      const demanded = this.#lanes.demandResent(resent, settings.claimMax);
      if (demanded.length > 0)
        for (const callback of await this.#claiming.claimResent(db, demanded, now, until))
          this.#lanes.enqueue(callback, false);
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
    this.#claiming ??= await chooseClaiming(db);
    const claimed = await this.#claiming.claimDue(db, demanded, now, until);
    const stale = claimed.filter((callback) => this.#hasOpened(callback));
    const current = claimed.filter((callback) => !this.#hasOpened(callback));
    this.#lanes.accept(demanded, current);
    await this.#release(stale);
  }

  #hasOpened(host: HostKey): boolean {
    return this.#opened.has(laneKey(host));
  }

  #sendReady(): void {
    for (;;) {
      const item = this.#lanes.takeNext();
      if (item === null) break;
      const sending = this.#send(item).finally(() => {
        this.#inFlight.delete(sending);
      });
      this.#inFlight.add(sending);
    }
    if (this.#lanes.hasDemand()) this.#wake.abort("work");
  }

  async #send(item: LaneItem): Promise<void> {
    const attempt = await this.#attempt(item).catch((error: unknown) => {
      this.#logError("callback could not be sent", item, error);
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
      hasFailures: item.lane.hasFailures,
    }).catch((error: unknown) => {
      // The claim expires and the callback is sent again: delivery is at least once.
      this.#logError("callback attempt could not be recorded", item, error);
    });
    // After a failure the breaker is updated before the receiver gets another callback.
    if (!delivered) await recorded;
    this.#lanes.finish(item, { delivered, durationMs: attempt.durationMs });
    this.#sendReady();
    await recorded;
  }

  #logError(message: string, item: LaneItem, error: unknown): void {
    this.#context.logger.error(message, {
      callback: item.callback.id,
      error: errorMessage(error),
    });
  }

  /** Sends one callback. Null if it was not sent or was aborted; its claim then expires or is released. */
  async #attempt({ callback }: LaneItem): Promise<CompletedAttempt | null> {
    const { clock, db, random, settings } = this.#context;
    const { accountId, credentialId, endpointId } = callback;
    const keys = await this.#keysOf(accountId, credentialId, endpointId ?? "");
    const attemptedAt = clock.now();
    // An answer after the claim has expired would collide with another dispatcher's attempt.
    const endsAt = addSeconds(attemptedAt, settings.totalTimeoutMs / 1000);
    if (endsAt > callback.claimedUntil) return null;
    const delivery = composeDelivery(callback, keys, attemptedAt);
    const outcome = await this.#post(callback, delivery);
    if (outcome.error === "aborted") {
      await releaseCallbacks(db, [callback]);
      return null;
    }
    const times = { attemptedAt, now: clock.now() };
    const decided = decideAttempt(callback, outcome, times, random, settings);
    return { ...decided, signed: delivery.signed };
  }

  /** A span of the object's trace, which the request names to the receiver. */
  async #post(callback: ClaimedCallback, delivery: Delivery): Promise<PostOutcome> {
    if (!isTracing()) return this.#poster.post(delivery);
    const { objectType, objectId } = callback;
    const traces = await this.#context.readTraces?.(objectType === "payout" ? [objectId] : []);
    const cause = traces?.get(objectId);
    const span: SpanStart = {
      name: "deliver callback",
      kind: "client",
      causes: cause === undefined ? [] : [cause],
      attributes: {
        "sluice.callback": callback.id,
        "sluice.attempt": callback.attempts + 1,
        "server.address": callback.host,
      },
    };
    return traced(span, async ({ add }) => {
      const traceparent = currentTraceparent();
      const headers =
        traceparent === null ? delivery.headers : { ...delivery.headers, traceparent };
      const outcome = await this.#poster.post({ ...delivery, headers });
      add(
        outcome.statusCode === null
          ? { "error.type": outcome.error ?? "unknown" }
          : { "http.response.status_code": outcome.statusCode },
      );
      return outcome;
    });
  }

  async #recordBatch(records: readonly AttemptRecord[]): Promise<readonly undefined[]> {
    const { clock, db, logger, onAttempt } = this.#context;
    const attempts = records.map((record) => record.attempt);
    await completeAttempts(db, attempts, clock.now());
    attempts.forEach(onAttempt);
    await this.#updateBreakers(records).catch((error: unknown) => {
      logger.warn("circuit breakers were not updated", { error: errorMessage(error) });
    });
    return records.map(() => undefined);
  }

  async #updateBreakers(records: readonly AttemptRecord[]): Promise<void> {
    const { clock, db, settings } = this.#context;
    for (const breaker of await updateBreakers(db, records, clock.now(), settings)) {
      if (breaker.consecutiveFailures === 0) this.#lanes.clearFailures(breaker);
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
      logger.warn("claims were not released and will expire", { error: errorMessage(error) });
    });
    const ended = new AbortController();
    const inFlight = Promise.all(this.#inFlight).then(() => {
      ended.abort();
    });
    await clock.sleep(settings.stopGraceMs, ended.signal);
    this.#poster.abortAll();
    await inFlight;
    await this.#poster.close();
  }
}

async function importKeys(
  context: DispatchContext,
  accountId: string,
  credentialId: string,
  endpointId: string | null,
): Promise<DeliveryKeys> {
  const keys = present(
    await context.readSigningKeys(accountId, credentialId, endpointId),
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
