import type { Database } from "../../platform/db/database.ts";
import { present } from "../../platform/kernel/assert.ts";
import {
  addSeconds,
  type Clock,
  type Instant,
  secondsBetween,
} from "../../platform/kernel/clock.ts";
import { errorMessage } from "../../platform/kernel/error-message.ts";
import type { Logger } from "../../platform/kernel/logger.ts";
import { Unavailable } from "../../platform/kernel/unavailable.ts";
import type { Principal } from "../principal.ts";
import { addressBlock } from "./address-block.ts";
import { leaseRequests } from "./throttle.store.ts";

/** Requests allowed per window, for each credential or, without authentication, for each address. */
export type ThrottleLimits = {
  readonly read: number;
  readonly create: number;
  readonly calculate: number;
  readonly token: number;
  /** Reads of payment pages, and payers' actions on them. */
  readonly page: number;
  readonly page_action: number;
  /** Deposits that visitors of payment links create. */
  readonly payment_link: number;
};

export type ThrottleBudget = keyof ThrottleLimits;

export const defaultThrottleLimits: ThrottleLimits = {
  read: 600,
  create: 600,
  calculate: 600,
  token: 15,
  // 1,000 pages behind one address, each polling every two seconds because it cannot receive the event stream.
  page: 30_000,
  page_action: 120,
  // Each takes an address, and one from the link's stock. Several customers of a shop may share its network.
  payment_link: 30,
};

export type ThrottleDecision = {
  readonly isAllowed: boolean;
  /** Requests per window. */
  readonly limit: number;
  /** Requests left in the window, as far as this process knows. */
  readonly remaining: number;
  readonly windowSeconds: number;
  /** Whole seconds until the window ends, at least 1. */
  readonly resetSeconds: number;
  /** Takes the request off the count again, because only failed logins count. Absent: it was not counted. */
  readonly giveBack?: () => void;
};

/**
 * Counts a request against a budget. While the database is unavailable, requests pass uncounted, but the budget `token` throws
 * `Unavailable`, so that passwords cannot be guessed without a limit.
 */
export type Throttle = (request: {
  readonly budget: ThrottleBudget;
  readonly principal: Principal | null;
  readonly ip: string;
}) => Promise<ThrottleDecision>;

export const throttleWindowSeconds = 60;
const firstChunk = 4;

/** This process's share of one bucket's window. */
type Share = {
  openedAt: Instant;
  left: number;
  /** The part of the limit that no process had leased at the time of the last lease. */
  unleased: number;
  nextChunk: number;
  isLeasing: boolean;
  readonly waiting: Waiting[];
};

type Waiting = {
  readonly resolve: (decision: ThrottleDecision) => void;
  readonly reject: (reason: unknown) => void;
};

/**
 * Shares the budgets among all processes through PostgreSQL. A process leases requests in chunks that double while it uses them up: a
 * busy client costs about twenty writes a minute, and an idle process holds little. All processes together never allow more than the
 * limit in a window, which begins with its first request and lasts 60 s.
 */
export function createThrottle(
  context: { readonly db: Database; readonly clock: Clock; readonly logger: Logger },
  limits: ThrottleLimits,
): Throttle {
  const shares = new Map<string, Share>();
  let sweepAt = 1024;

  const shareOf = (bucket: string): Share => {
    const now = context.clock.now();
    const known = shares.get(bucket);
    if (known !== undefined && (known.isLeasing || isRunning(known, now))) return known;
    if (shares.size >= sweepAt) {
      for (const [name, share] of shares) {
        if (!share.isLeasing && !isRunning(share, now)) shares.delete(name);
      }
      sweepAt = Math.max(1024, shares.size * 2);
    }
    const fresh = freshShare(now);
    shares.set(bucket, fresh);
    return fresh;
  };

  const decide = (share: Share, limit: number, isAllowed: boolean): ThrottleDecision => {
    const { openedAt } = share;
    const resetSeconds = Math.ceil(secondsBetween(context.clock.now(), endOf(share)));
    return {
      isAllowed,
      limit,
      remaining: Math.min(limit, share.left + share.unleased),
      windowSeconds: throttleWindowSeconds,
      resetSeconds: Math.max(1, resetSeconds),
      giveBack: () => {
        if (isAllowed && share.openedAt === openedAt) share.left += 1;
      },
    };
  };

  const lease = async (bucket: string, share: Share, limit: number): Promise<void> => {
    const answer = await leaseRequests(context.db, {
      bucket,
      now: context.clock.now(),
      windowSeconds: throttleWindowSeconds,
      limit,
      atLeast: share.waiting.length,
      atMost: share.nextChunk,
    });
    const { openedAt, granted, leased } = present(answer, "a throttle lease");
    share.openedAt = openedAt;
    share.left = leased;
    share.unleased = Math.max(0, limit - granted);
    share.nextChunk *= 2;
  };

  /** Leases until every waiting request has a decision, including requests that arrive in the meantime. */
  const serve = async (bucket: string, share: Share, limit: number): Promise<void> => {
    share.isLeasing = true;
    try {
      while (share.waiting.length > 0) {
        await lease(bucket, share, limit);
        while (share.left > 0 && share.waiting.length > 0) {
          share.left -= 1;
          share.waiting.shift()?.resolve(decide(share, limit, true));
        }
        if (share.unleased === 0)
          for (const { resolve } of share.waiting.splice(0)) resolve(decide(share, limit, false));
      }
    } catch (error) {
      for (const { reject } of share.waiting.splice(0)) reject(error);
    } finally {
      share.isLeasing = false;
    }
  };

  const take = (bucket: string, limit: number): Promise<ThrottleDecision> => {
    const share = shareOf(bucket);
    if (!share.isLeasing && share.left > 0) {
      share.left -= 1;
      return Promise.resolve(decide(share, limit, true));
    }
    if (!share.isLeasing && share.unleased === 0)
      return Promise.resolve(decide(share, limit, false));
    return new Promise((resolve, reject) => {
      share.waiting.push({ resolve, reject });
      if (!share.isLeasing) void serve(bucket, share, limit);
    });
  };

  return async ({ budget, principal, ip }) => {
    const limit = limits[budget];
    try {
      return await take(`${budget}:${subjectOf(principal, ip)}`, limit);
    } catch (error) {
      if (budget === "token")
        throw new Unavailable("database", "requests cannot be counted", error);
      context.logger.warn("requests cannot be counted and pass unthrottled", {
        budget,
        error: errorMessage(error),
      });
      return decide(freshShare(context.clock.now()), limit, true);
    }
  };
}

function freshShare(now: Instant): Share {
  return {
    openedAt: now,
    left: 0,
    unleased: Number.POSITIVE_INFINITY,
    nextChunk: firstChunk,
    isLeasing: false,
    waiting: [],
  };
}

function isRunning(share: Share, now: Instant): boolean {
  return endOf(share) > now;
}

function endOf(share: Share): Instant {
  return addSeconds(share.openedAt, throttleWindowSeconds);
}

function subjectOf(principal: Principal | null, ip: string): string {
  if (principal === null) return `ip/${addressBlock(ip)}`;
  // A person's requests do not use up the budget of the program whose credential signs for them.
  const { person, memberId, credentialId } = principal;
  return person === undefined ? `credential/${credentialId}` : `member/${memberId}`;
}
