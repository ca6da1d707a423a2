import { endsConnection } from "../../platform/db/classify-error.ts";
import { type Clock, type Instant, secondsBetween } from "../../platform/kernel/clock.ts";
import type { LogFields, Logger } from "../../platform/kernel/logger.ts";
import { isDatabaseAway } from "../../platform/kernel/unavailable.ts";

/** Logs requests that could not be served: the first of an outage as an error, the others as `debug`, then the end. */
export type OutageLog = {
  readonly failed: (route: string, thrown: unknown, line: LogFields) => void;
  readonly succeeded: (route: string) => void;
};

type Outage = {
  readonly since: Instant;
  /** Those that have not answered since. */
  readonly routes: Set<string>;
  latest: Instant;
  failures: number;
  isLogged: boolean;
};

/** A failure this long after the previous one starts a new outage: what failed is perhaps not asked for again. */
const restSeconds = 60;

/**
 * One outage is what lasts until every route that failed has answered. A server that is away is logged once by its connections
 * (`connect`), so nothing but `debug` is added to it.
 */
export function createOutageLog({
  clock,
  logger,
}: {
  readonly clock: Pick<Clock, "now">;
  readonly logger: Logger;
}): OutageLog {
  let outage: Outage | null = null;
  return {
    failed: (route, thrown, line) => {
      const now = clock.now();
      if (outage === null || secondsBetween(outage.latest, now) > restSeconds)
        outage = { since: now, routes: new Set(), latest: now, failures: 0, isLogged: false };
      outage.routes.add(route);
      outage.latest = now;
      outage.failures += 1;
      const isAnnounced = isDatabaseAway(thrown) && endsConnection(thrown.cause);
      const level = isAnnounced || outage.isLogged ? "debug" : "error";
      outage.isLogged ||= level === "error";
      logger[level]("request failed", line);
    },
    succeeded: (route) => {
      if (outage === null || !outage.routes.delete(route) || outage.routes.size > 0) return;
      const { failures, since, isLogged } = outage;
      const seconds = Math.round(secondsBetween(since, clock.now()));
      logger[isLogged ? "info" : "debug"]("requests are answered again", { failures, seconds });
      outage = null;
    },
  };
}
