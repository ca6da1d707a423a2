import { addSeconds, type Clock, type Instant, secondsBetween } from "./clock.ts";
import { errorMessage } from "./error-message.ts";
import type { LogFields, Logger } from "./logger.ts";

/** Tells of something that is tried again and again: when it begins to fail, ever more rarely while it does, when it is over. */
export type FailureLog = {
  readonly failed: (error: unknown) => void;
  readonly succeeded: () => void;
};

type Outage = {
  readonly since: Instant;
  readonly told: Set<string>;
  failures: number;
  gapSeconds: number;
  remindAt: Instant;
};

const firstGapSeconds = 60;
const longestGapSeconds = 3_600;
/** Reasons that are each told at once; where they go on changing, they are told at the pace of one that stays. */
const reasonsAtOnce = 5;

/**
 * A reason that was not told yet is logged at once, as `failing` with the error; one that stays is logged again after a
 * minute, two, four, ... and at last every hour, with the number of failures. The first success after it is logged as `over`.
 */
export function createFailureLog(
  { clock, logger }: { readonly clock: Clock; readonly logger: Logger },
  lines: {
    readonly level: "warn" | "error";
    readonly failing: string;
    readonly over: string;
    readonly fields: LogFields;
  },
): FailureLog {
  let outage: Outage | null = null;
  return {
    failed: (error) => {
      const now = clock.now();
      const reason = errorMessage(error);
      outage ??= beginAt(now);
      outage.failures += 1;
      if (!isToBeTold(outage, reason, now)) return;
      const { failures } = outage;
      logger[lines.level](lines.failing, { ...lines.fields, error: reason, failures });
    },
    succeeded: () => {
      if (outage === null) return;
      const seconds = Math.round(secondsBetween(outage.since, clock.now()));
      logger.info(lines.over, { ...lines.fields, failures: outage.failures, seconds });
      outage = null;
    },
  };
}

function beginAt(now: Instant): Outage {
  const remindAt = addSeconds(now, firstGapSeconds);
  return { since: now, told: new Set(), failures: 0, gapSeconds: firstGapSeconds, remindAt };
}

function isToBeTold(outage: Outage, reason: string, now: Instant): boolean {
  if (!outage.told.has(reason) && outage.told.size < reasonsAtOnce) {
    outage.told.add(reason);
    return true;
  }
  if (now < outage.remindAt) return false;
  outage.gapSeconds = Math.min(outage.gapSeconds * 2, longestGapSeconds);
  outage.remindAt = addSeconds(now, outage.gapSeconds);
  return true;
}
