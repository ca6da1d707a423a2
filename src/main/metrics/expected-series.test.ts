/**
 * What a deployment needs is reported even where the database has no row of it, or lost the last one, so that alerts can fire; what
 * was removed from the configuration is not, so that they end.
 */
import { beforeEach, describe, expect, it } from "vitest";
import { useDatabase } from "../../../test/support/database.ts";
import { manualClock } from "../../../test/support/manual-clock.ts";
import { deploymentCurrencies } from "../../currencies/deployment-currencies.ts";
import { createRegistry } from "../../currencies/registry.ts";
import { formatTimestamp } from "../../platform/kernel/timestamp.ts";
import { configSchema } from "../config/config.ts";
import { currencySettings } from "../config/currency-settings.ts";
import { expectedSeries } from "./expected-series.ts";
import { createMetrics } from "./metrics.ts";

const { db, sql } = useDatabase();

const config = configSchema.parse({
  base_url: "https://pay.example.com",
  database: { url: "postgres://localhost/sluice" },
  keys: { data_key_files: ["/etc/sluice/data.key"] },
  signer: { folder: "/var/lib/sluice", passphrase_file: "/etc/sluice/passphrase" },
  rates: { sources: [{ source: "kraken" }, { source: "ecb" }] },
  chains: {
    BTC: { network: "regtest", nodes: ["http://127.0.0.1:1"] },
    ETH: { network: "regtest", chain_id: 1337, nodes: ["http://127.0.0.1:2"] },
  },
});
const foundation = {
  config,
  currencies: createRegistry(deploymentCurrencies(currencySettings(config)).currencies),
  enabledChains: new Set(Object.keys(config.chains)),
};

/** The lines of a process that started 500 seconds ago. */
async function linesOf(metric: string): Promise<readonly string[]> {
  const clock = manualClock();
  const clockGuard = { aheadSeconds: () => 0 };
  const metrics = createMetrics(db, clock, clockGuard, expectedSeries(foundation));
  clock.advance(500);
  const lines = (await metrics.render()).body.split("\n");
  return lines.filter((line) => line.startsWith(`sluice_${metric}{`)).sort();
}

/** Ten seconds before the metrics are read. */
const recently = (() => {
  const clock = manualClock();
  clock.advance(490);
  return formatTimestamp(clock.now());
})();
const longAgo = "2025-11-02T03:04:05Z";

beforeEach(() =>
  sql(`truncate payout_stop, chain_cursor, reconciliation_run, node_doubt, job_lease, rate_quote, rate_source_quote, address,
       address_reservation cascade`),
);

describe("chains", () => {
  it("are as old as the process until they are read and compared, and absent once they are removed", async () => {
    await sql(
      `insert into chain_cursor (chain, network, caught_up_at, updated_at)
       values ('BTC', 'x', $1, $1), ('ETH', 'x', null, $1), ('LTC', 'x', $2, $2)`,
      [recently, longAgo],
    );
    await sql(
      `insert into reconciliation_run (chain, tried_at, completed_at, failure) values ('BTC', $1, $1, null), ('LTC', $2, $2, 'x')`,
      [recently, longAgo],
    );
    expect(await linesOf("chain_caught_up_seconds")).toEqual([
      'sluice_chain_caught_up_seconds{chain="BTC"} 10',
      'sluice_chain_caught_up_seconds{chain="ETH"} 500',
    ]);
    expect(await linesOf("reconciliation_age_seconds")).toEqual([
      'sluice_reconciliation_age_seconds{chain="BTC"} 10',
      'sluice_reconciliation_age_seconds{chain="ETH"} 500',
    ]);
    expect(await linesOf("reconciliation_unfinished")).toEqual([
      'sluice_reconciliation_unfinished{chain="BTC"} 0',
    ]);
    await sql("truncate chain_cursor");
    expect(await linesOf("chain_caught_up_seconds")).toEqual([
      'sluice_chain_caught_up_seconds{chain="BTC"} 500',
      'sluice_chain_caught_up_seconds{chain="ETH"} 500',
    ]);
  });

  it("have doubted nodes, pauses and jobs only as long as they are configured", async () => {
    await sql(
      `insert into node_doubt (chain, node, kind, reason, since, seen_at)
       values ('BTC', 'b', 'silent', 'x', $1, $1), ('LTC', 'l', 'silent', 'x', $1, $1)`,
      [longAgo],
    );
    await sql(
      `insert into job_lease (name, holder, fence, expires_at)
       values ('rates', 'x', 1, $1), ('payouts BTC', 'x', 1, $1), ('payouts LTC', 'x', 1, $1)`,
      [recently],
    );
    expect(await linesOf("node_doubts")).toEqual([
      'sluice_node_doubts{chain="BTC",node="b",kind="silent"} 1',
    ]);
    await sql(
      `insert into payout_stop (scope, by_reconciliation, reason, created_at)
       values ('all', false, 'x', $1), ('chain/BTC', true, 'x', $1), ('chain/LTC', true, 'x', $1)`,
      [recently],
    );
    expect(await linesOf("payouts_stopped")).toEqual([
      'sluice_payouts_stopped{scope="all",by="kill_switch"} 1',
      'sluice_payouts_stopped{scope="chain/BTC",by="reconciliation"} 1',
    ]);
    expect(await linesOf("job_lease_overdue_seconds")).toEqual([
      'sluice_job_lease_overdue_seconds{task="payouts BTC"} 10',
      'sluice_job_lease_overdue_seconds{task="rates"} 10',
    ]);
  });
});

describe("address pools", () => {
  it("say 0 when they are empty, whether or not they ever had an address", async () => {
    await sql(
      `insert into address (keyspace, watch_key, address, address_type, key_index, derived_at, deposit_id)
       values ('BTC', 'a', 'a', 'bech32', 0, $1, null), ('BTC', 'b', 'b', 'bech32', 1, $1, null),
              ('BTC', 'c', 'c', 'legacy', 0, $1, 7), ('LTC', 'd', 'd', 'legacy', 0, $1, null)`,
      [longAgo],
    );
    const free = (keyspace: string, type: string, count: number): string =>
      `sluice_address_pool_free{keyspace="${keyspace}",type="${type}"} ${count}`;
    expect(await linesOf("address_pool_free")).toEqual([
      free("BTC", "bech32", 2),
      free("BTC", "bech32m", 0),
      free("BTC", "legacy", 0),
      free("BTC", "p2sh-segwit", 0),
      free("evm", "", 0),
    ]);
  });
});

describe("prices", () => {
  it("of the deployment's coins are as old as the process until they are known, those of fiat absent", async () => {
    await sql(
      `insert into rate_quote (symbol, bid, ask, sources, created_at, expired_at)
       select symbol, 1, 1, 1, at::timestamptz, at::timestamptz
       from (values ('BTC', $1), ('EUR', $1), ('ARS', $2), ('LTC', $2)) as quote (symbol, at)`,
      [recently, longAgo],
    );
    await sql(
      `insert into rate_source_quote (source, symbol, bid, ask, fetched_at)
       values ('ecb', 'EUR', 1, 1, $1), ('coinbase', 'BTC', 1, 1, $2)`,
      [recently, longAgo],
    );
    expect(await linesOf("rate_age_seconds")).toEqual([
      'sluice_rate_age_seconds{symbol="BTC"} 10',
      'sluice_rate_age_seconds{symbol="ETH"} 500',
      'sluice_rate_age_seconds{symbol="EUR"} 10',
    ]);
    expect(await linesOf("rate_source_age_seconds")).toEqual([
      'sluice_rate_source_age_seconds{source="ecb"} 10',
      'sluice_rate_source_age_seconds{source="kraken"} 500',
    ]);
  });
});
