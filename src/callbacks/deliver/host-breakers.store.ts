import { type Executor, statement } from "../../platform/db/database.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import { formatTimestamp, formatTimestampOrNull } from "../../platform/kernel/timestamp.ts";
import type { HostBreaker } from "./host-breaker.ts";

/** A receiver of one account; `host` includes the port unless it is the scheme's default. */
export type HostKey = { readonly accountId: string; readonly host: string };

const lockBreakers = statement<HostKey & HostBreaker>(
  "callbacks.lock-breakers",
  `select account_id as "accountId", host, consecutive_failures as "consecutiveFailures", openings,
     open_until as "openUntil", failing_since as "failingSince"
   from callback_host
   where (account_id, host) in (select * from unnest($1::bigint[], $2::text[]))
   order by account_id, host for update`,
);

const saveBreakers = statement(
  "callbacks.save-breakers",
  `insert into callback_host (account_id, host, consecutive_failures, openings, open_until, failing_since, updated_at)
   select *, $7::timestamptz
   from unnest($1::bigint[], $2::text[], $3::integer[], $4::integer[], $5::timestamptz[], $6::timestamptz[])
   on conflict (account_id, host) do update set consecutive_failures = excluded.consecutive_failures,
     openings = excluded.openings, open_until = excluded.open_until, failing_since = excluded.failing_since,
     updated_at = excluded.updated_at`,
);

const takeProbes = statement<HostKey>(
  "callbacks.take-probes",
  `update callback_host set open_until = $3
   where (account_id, host) in (select * from unnest($1::bigint[], $2::text[])) and open_until <= $4
   returning account_id as "accountId", host`,
);

/** Reads and locks breakers, always in the same order; receivers without a row are left out. */
export function readBreakersForUpdate(
  tx: Executor,
  hosts: readonly HostKey[],
): Promise<readonly (HostKey & HostBreaker)[]> {
  return tx.query(lockBreakers, hostValues(hosts));
}

/** Stores breakers. The caller holds their locks (`readBreakersForUpdate`) and passes them in that order. */
export async function writeBreakers(
  tx: Executor,
  breakers: readonly (HostKey & HostBreaker)[],
  now: Instant,
): Promise<void> {
  await tx.query(saveBreakers, [
    ...hostValues(breakers),
    breakers.map((breaker) => breaker.consecutiveFailures),
    breakers.map((breaker) => breaker.openings),
    breakers.map((breaker) => formatTimestampOrNull(breaker.openUntil)),
    breakers.map((breaker) => formatTimestampOrNull(breaker.failingSince)),
    formatTimestamp(now),
  ]);
}

/** Takes the probes of half-open receivers. One dispatcher gets each probe; to the others the breaker is open until `until`. */
export function takeHostProbes(
  tx: Executor,
  hosts: readonly HostKey[],
  now: Instant,
  until: Instant,
): Promise<readonly HostKey[]> {
  const values = [...hostValues(hosts), formatTimestamp(until), formatTimestamp(now)];
  return tx.query(takeProbes, values);
}

function hostValues(hosts: readonly HostKey[]): [string[], string[]] {
  return [hosts.map((host) => host.accountId), hosts.map((host) => host.host)];
}
