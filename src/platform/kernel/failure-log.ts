import { addSeconds, type Clock, type Instant, secondsBetween } from "./clock.ts";
import { errorMessage } from "./error-message.ts";
import type { LogFields, Logger } from "./logger.ts";
import { isDatabaseAway } from "./unavailable.ts";

/** Logs the failures of repeated work: the first one, then ever more rarely, then the recovery. */
export type FailureLog = {
  readonly failed: (error: unknown) => void;
  readonly succeeded: () => void;
};

type Outage = {
  readonly since: Instant;
  readonly reported: Set<string>;
  failures: number;
  gapSeconds: number;
  remindAt: Instant;
  /** Whether anything but the database's absence was logged, which the database itself announces. */
  isAnnounced: boolean;
};

const firstGapSeconds = 60;
const longestGapSeconds = 3_600;
/** How many different reasons are logged at once; further ones are logged at the pace of a persistent one. */
const reasonsAtOnce = 5;

/**
 * Logs a new reason at once as `failing` with the error, and a persistent one again after one minute, two, four, ... up to
 * every hour, with the number of failures. The first success afterwards is logged as `over`. An absence of the database is logged as
 * `debug`: its connections announce it once for everyone.
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
      if (!isToBeLogged(outage, reason, now)) return;
      const { failures } = outage;
      const level = isDatabaseAway(error) ? "debug" : lines.level;
      outage.isAnnounced ||= level !== "debug";
      logger[level](lines.failing, { ...lines.fields, error: reason, failures });
    },
    succeeded: () => {
      if (outage === null) return;
      const seconds = Math.round(secondsBetween(outage.since, clock.now()));
      logger[outage.isAnnounced ? "info" : "debug"](lines.over, {
        ...lines.fields,
        failures: outage.failures,
        seconds,
      });
      outage = null;
    },
  };
}

function beginAt(now: Instant): Outage {
  const remindAt = addSeconds(now, firstGapSeconds);
  return {
    since: now,
    reported: new Set(),
    failures: 0,
    gapSeconds: firstGapSeconds,
    remindAt,
    isAnnounced: false,
  };
}

function isToBeLogged(outage: Outage, reason: string, now: Instant): boolean {
  if (!outage.reported.has(reason) && outage.reported.size < reasonsAtOnce) {
    outage.reported.add(reason);
    return true;
  }
  if (now < outage.remindAt) return false;
  outage.gapSeconds = Math.min(outage.gapSeconds * 2, longestGapSeconds);
  outage.remindAt = addSeconds(now, outage.gapSeconds);
  return true;
}
