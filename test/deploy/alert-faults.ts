/** A fault as Prometheus sees it. */
export type Fault = {
  /** Values at each minute, in promtool's notation: normal for ten minutes, then the fault. */
  readonly series: Readonly<Record<string, string>>;
  /** What the alert names. */
  readonly labels: Readonly<Record<string, string>>;
  /** When it has fired; by default after 40 minutes. */
  readonly firesAt?: string;
};

const fault = (
  metric: string,
  values: string,
  labels: Readonly<Record<string, string>> = {},
): Fault => ({ series: { [metric]: values }, labels });

/** Zero for ten minutes, then this value for an hour. */
const becomes = (value: number): string => `0x9 ${value}x60`;

/** Faults for each alert. */
export const faults: Readonly<Record<string, Fault | readonly Fault[]>> = {
  SluiceProcessDown: fault('up{job="sluice-api",instance="a"}', "1x9 0x60", {
    job: "sluice-api",
    instance: "a",
  }),
  SluiceDatabaseNotAdmitted: fault("sluice_database_admitted", "1x9 0x60"),
  SluiceDatabaseBusy: fault(
    'sluice_database_waiting{instance="a",pool="transactions"}',
    becomes(3),
    { instance: "a", pool: "transactions" },
  ),
  SluiceReadsNotOnReplica: {
    series: {
      'sluice_replica_reads_total{instance="a",place="replica",reason=""}': "0+9x9 81x60",
      'sluice_replica_reads_total{instance="a",place="primary",reason="behind"}': "0x9 0+9x60",
    },
    labels: { instance: "a" },
  },
  SluiceServerErrors: fault(
    'sluice_http_request_duration_seconds_count{route="/deposit/",status="500"}',
    "0x30 0+1x30",
    { route: "/deposit/" },
  ),
  SluiceClockSkewed: fault('sluice_clock_ahead_seconds{instance="a"}', "0x9 -1.5x60", {
    instance: "a",
  }),
  SluiceJobWithoutWorker: fault(
    'sluice_job_lease_overdue_seconds{task="payouts BTC"}',
    "0x9 0+60x60",
    {
      task: "payouts BTC",
    },
  ),
  SluiceJobFails: [
    {
      // Three of four runs.
      series: {
        'sluice_job_duration_seconds_count{task="rates",outcome="done"}': "0+4x9 36+1x60",
        'sluice_job_duration_seconds_count{task="rates",outcome="failed"}': "0x9 0+3x60",
      },
      labels: { task: "rates" },
    },
    {
      // Once per hour, after a run that was done.
      series: {
        'sluice_job_duration_seconds_count{task="partitions",outcome="done"}': "1x300",
        'sluice_job_duration_seconds_count{task="partitions",outcome="failed"}':
          "_x59 1x59 2x59 3x59 4x59",
      },
      labels: { task: "partitions" },
      firesAt: "200m",
    },
    {
      // Every ten minutes, from the start of the process.
      series: {
        'sluice_job_duration_seconds_count{task="old-blocks",outcome="failed"}':
          "_x9 1x9 2x9 3x9 4x9 5x9",
      },
      labels: { task: "old-blocks" },
    },
  ],
  SluiceBacklogOld: fault('sluice_backlog_oldest_seconds{queue="event-relay"}', "0x9 0+60x60", {
    queue: "event-relay",
  }),
  SluiceNodeBehind: fault('sluice_chain_caught_up_seconds{chain="BTC"}', "1x9 0+60x60", {
    chain: "BTC",
  }),
  SluiceNodeStuck: {
    ...fault('sluice_chain_node_height{chain="BTC"}', "100+1x9 109x400", { chain: "BTC" }),
    firesAt: "200m",
  },
  SluiceNodeDoubted: fault(
    'sluice_node_doubts{chain="ETH",node="node-2",kind="disagrees"}',
    becomes(1),
    { chain: "ETH", node: "node-2", kind: "disagrees" },
  ),
  SluicePaymentsUnconfirmedByNodes: fault(
    'sluice_second_opinion_oldest_seconds{chain="ETH"}',
    "0x9 0+60x60",
    { chain: "ETH" },
  ),
  SluiceReorgs: fault('sluice_chain_steps_total{chain="BTC",event="orphaned"}', "0x9 0+1x60", {
    chain: "BTC",
  }),
  SluiceAddressesRunOut: ["200x9 3x60", "200x9 0x60"].map((values) =>
    fault('sluice_address_pool_free{keyspace="BTC",type="bech32"}', values, {
      keyspace: "BTC",
      type: "bech32",
    }),
  ),
  SluiceRatesOld: {
    // Every market fails, while the fixings of the euro hold.
    series: {
      'sluice_rate_age_seconds{symbol="BTC"}': "1x9 0+60x60",
      'sluice_rate_age_seconds{symbol="EUR"}': "1x69",
      'sluice_rate_source_age_seconds{source="ecb"}': "1+60x69",
    },
    labels: {},
  },
  SluiceUnattributedPayment: fault('sluice_unattributed_waiting{currency="1010"}', becomes(2), {
    currency: "1010",
  }),
  SluicePayoutsStuck: fault(
    'sluice_payout_oldest_seconds{chain="ETH",stage="held"}',
    "0x9 0+60x60",
    { chain: "ETH", stage: "held" },
  ),
  SluiceTransactionStuck: {
    ...fault(
      'sluice_spend_oldest_seconds{chain="BTC",kind="payout",state="broadcast"}',
      "0x9 0+60x90",
      { chain: "BTC", kind: "payout" },
    ),
    firesAt: "80m",
  },
  SluicePayoutsStopped: fault(
    'sluice_payouts_stopped{scope="ETH",by="reconciliation"}',
    becomes(1),
    { scope: "ETH", by: "reconciliation" },
  ),
  SluicePayoutsBlocked: fault('sluice_payouts{chain="ETH",stage="blocked"}', becomes(1), {
    chain: "ETH",
  }),
  SluicePositionNearLimit: {
    series: {
      'sluice_conversion_position_units{currency="1002"}': "0x9 -95x60",
      'sluice_conversion_position_max_units{currency="1002"}': "100x70",
    },
    labels: { currency: "1002" },
  },
  SluiceSignerAway: fault('sluice_signer_up{instance="worker-1"}', "1x9 0x60", {
    instance: "worker-1",
  }),
  SluiceSignerRefuses: fault(
    'sluice_signer_call_duration_seconds_count{call="sign",outcome="refused"}',
    "0x30 0+1x30",
  ),
  SluiceSignerStandbyOutOfSync: fault(
    'sluice_signer_pair_role{signer="b",role="out_of_sync"}',
    "_x9 1x60",
    { signer: "b" },
  ),
  SluiceSignerTookOver: fault("sluice_signer_pair_epoch", "3x30 4x30"),
  SluiceSignerReplicationLate: fault(
    'sluice_signer_replication_age_seconds{standby="b"}',
    "0x9 0+60x60",
    { standby: "b" },
  ),
  SluiceCertificateExpires: fault(
    'sluice_signer_certificate_expires_seconds{instance="worker-1",certificate="client"}',
    "2000000x9 1000000x60",
    { instance: "worker-1", certificate: "client" },
  ),
  SluiceCallbacksLate: fault("sluice_callback_queue_age_seconds", "0x9 0+60x60"),
  SluiceCallbacksFailing: {
    series: {
      'sluice_callback_attempts_total{outcome="delivered"}': "0+10x9 100+1x60",
      'sluice_callback_attempts_total{outcome="pending"}': "0x9 0+5x60",
    },
    labels: {},
  },
  SluiceCallbacksExhausted: { ...fault("sluice_callback_exhausted", "0x64 4x60"), firesAt: "70m" },
  SluiceBooksDiffer: fault(
    'sluice_ledger_difference_units{chain="ETH",currency="1002"}',
    "0x9 -5x60",
    { chain: "ETH", currency: "1002" },
  ),
  SluiceReconciliationLate: fault(
    'sluice_reconciliation_age_seconds{chain="ETH"}',
    "30x9 30+60x60",
    {
      chain: "ETH",
    },
  ),
  SluiceReconciliationUnfinished: fault(
    'sluice_reconciliation_unfinished{chain="ETH"}',
    becomes(1),
    { chain: "ETH" },
  ),
  SluiceDiskFull: {
    series: {
      'node_filesystem_avail_bytes{instance="db-1",mountpoint="/",fstype="ext4"}': "50x9 5x60",
      'node_filesystem_size_bytes{instance="db-1",mountpoint="/",fstype="ext4"}': "100x70",
    },
    labels: { instance: "db-1", mountpoint: "/", fstype: "ext4" },
  },
  SluiceReplicaBehind: fault('pg_replication_lag_seconds{instance="db-2"}', "0x9 45x60", {
    instance: "db-2",
  }),
};

/** What is normal for one alert, and why: `[alert, reason, series]` over five hours. */
export const lulls: readonly (readonly [string, string, Fault["series"]])[] = [
  [
    "SluiceJobFails",
    "two failures of an hourly job between runs that are done",
    {
      'sluice_job_duration_seconds_count{task="partitions",outcome="done"}':
        "1x59 2x59 3x119 4x59 5x5",
      'sluice_job_duration_seconds_count{task="partitions",outcome="failed"}': "_x130 1x9 2x160",
    },
  ],
  [
    "SluiceJobFails",
    "failures of a first run while the database fails over",
    {
      'sluice_job_duration_seconds_count{task="old-blocks",outcome="failed"}': "1 2 3 4x297",
      'sluice_job_duration_seconds_count{task="old-blocks",outcome="done"}': "_x3 1x9 2x9 3x280",
    },
  ],
];
