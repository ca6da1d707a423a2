import type { BenchSite } from "./bench-site.ts";

/** Adds plausible addresses: free in the pool or, with a deposit's number, watched. */
export async function addAddresses(
  site: BenchSite,
  databaseUrl: string,
  count: number,
  state: "waiting" | "watched",
): Promise<void> {
  await site.sql(
    databaseUrl,
    `insert into address (keyspace, watch_key, address, address_type, key_index, derived_at, account_id, wallet_id,
       deposit_id, issued_at)
     select 'BTC', '0014' || substr(digest, 1, 40), 'bcrt1q' || substr(digest, 1, 38), 'bech32', at, now(),
       case when $2 then 1 end, case when $2 then 1 end, case when $2 then 1000000000 + at end,
       case when $2 then now() end
     from (select coalesce(max(key_index) + 1, 0) as start from address where keyspace = 'BTC') as pool,
       lateral generate_series(start, start + $1::bigint - 1) as at,
       lateral (select encode(sha256(at::text::bytea), 'hex') as digest) as hashed`,
    [count, state === "watched"],
  );
  // As autovacuum would do in time.
  await site.sql(databaseUrl, "vacuum analyze address");
}

/** Fills the pool up to `size` free addresses. */
export async function refillPool(
  site: BenchSite,
  databaseUrl: string,
  size: number,
): Promise<void> {
  const [row] = (await site.sql(
    databaseUrl,
    "select count(*)::int as waiting from address where keyspace = 'BTC' and address_type = 'bech32' and deposit_id is null",
  )) as { waiting: number }[];
  await addAddresses(site, databaseUrl, size - (row?.waiting ?? 0), "waiting");
}
