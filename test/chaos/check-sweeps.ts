import type { Evidence, Finding } from "./finding.ts";

/**
 * What an address gets for a sweep must be followed by that sweep before it gets the same again: otherwise fees are burned in a
 * circle.
 */
export async function checkSweeps({ sql }: Evidence): Promise<Finding> {
  const rows = await sql<{ watch_key: string; currency: string; kind: string; times: number }>(
    `select watch_key, currency, kind, count(*)::integer as times from (
       select m.chain, m.watch_key, m.currency, s.kind, s.state,
         count(*) filter (where s.kind = 'sweep') over (partition by m.chain, m.watch_key, m.currency order by s.id) as sweeps
       from sweep_source m join spend s on s.id = m.spend_id) as step
     where kind <> 'sweep' and state in ('included', 'confirmed')
     group by chain, watch_key, currency, kind, sweeps`,
  );
  return {
    invariant: "no address is prepared twice for one sweep",
    checked: rows.length,
    faults: rows
      .filter(({ times }) => times > 1)
      .map(
        ({ watch_key, currency, kind, times }) =>
          `${watch_key} had ${times} times ${kind} for ${currency} without a sweep in between`,
      ),
  };
}
