import { z } from "zod";
import { defaultPeopleSettings } from "../../accounts/people/context.ts";
import { parseNetwork } from "../../accounts/tokens/allowed-network.ts";
import { defaultThrottleLimits } from "../../accounts/tokens/throttle.ts";
import { rateSourceNames } from "../../currencies/rates/create-rate-providers.ts";
import { defaultSendSettings } from "../../payouts/send/choose-groups.ts";
import { isWritableTarget } from "../../platform/db/database-hosts.ts";
import { defaultSpendSettings } from "../../treasury/spends/spend-context.ts";
import { defaultConsolidationSettings } from "../../treasury/sweeping/move-context.ts";
import { defaultSweepSettings } from "../../treasury/sweeping/sweep-context.ts";
import { filePath, port } from "./config-members.ts";
import { mail } from "./mail.ts";
import { signer } from "./signer.ts";
import { webPush } from "./web-push.ts";

const positive = z.int().min(1);
const network = z.string().refine((text) => parseNetwork(text) !== null, {
  error: "a network in CIDR notation or an address is needed",
});
const decimal = z.string().regex(/^\d+(\.\d+)?$/, { error: "a decimal amount as text is needed" });
const nodeUrl = z.url({ protocol: /^https?$/, error: "an http or https URL is needed" });
const headerName = z
  .string()
  .regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, { error: "a name of an HTTP header is needed" });
/** Printable ASCII, the only characters that every server reads the same. */
const headerValue = z.string().regex(/^[ -~]+$/, { error: "printable ASCII is needed" });

const node = z
  .union(
    [
      nodeUrl,
      z.strictObject({
        url: nodeUrl,
        headers: z.record(headerName, headerValue).optional(),
        /** Files with the values of further headers. */
        header_files: z.record(headerName, filePath).optional(),
      }),
    ],
    { error: "an http or https URL is needed, or a table with url, headers and header_files" },
  )
  .transform((entry) => (typeof entry === "string" ? { url: entry } : entry))
  .transform(({ url, headers = {}, header_files = {} }) => ({ url, headers, header_files }));

const jettonWallet = z.strictObject({
  code_hash: z.string().regex(/^[0-9a-f]{64}$/, { error: "64 hexadecimal digits are needed" }),
  /** Levels of cells below the code's own. */
  code_depth: z.int().min(0).max(1_023),
  layout: z.enum(["tep-74", "stablecoin"]),
});

const chain = z.strictObject({
  network: z.enum(["mainnet", "testnet", "regtest"]),
  /** Equivalent nodes, the preferred one first; credentials in the URL or in headers. */
  nodes: z.array(node).min(1, "at least one node is needed"),
  /** EVM only: the chain id of a network that is not public. */
  chain_id: positive.optional(),
  genesis_hash: z.string().optional(),
  network_passphrase: z.string().min(1).optional(),
  /** TON only: the number of a network that is not public, as its blocks have it. */
  global_id: z.int().optional(),
  /** TON only: the code of the wallets of each jetton that the program does not know, by the address of the jetton's master. */
  jetton_wallets: z.record(z.string(), jettonWallet).optional(),
  /** Servers with the blocks that nodes no longer keep, the preferred one first. */
  history: z.array(node).min(1).optional(),
  /** Servers with an index of the chain, one for each node and in the same order. */
  index: z.array(node).min(1).optional(),
  /** Monero only: the monero-wallet-rpc in which the worker keeps a view-only wallet that drafts payouts. */
  wallet: node.optional(),
  /** Stellar only: how many channels the hot account makes, so that payouts need not wait for each other. Default: none. */
  channels: z.int().min(0).max(200).optional(),
  /** First block to read; default: the node's tip at the first start. */
  start_height: z.int().min(0).optional(),
  /** Deepest reorg that is undone automatically, in blocks; default: the chain's. */
  reorg_limit: positive.optional(),
  /**
   * With two or more nodes: a credited amount above this many whole coins or tokens becomes payable once another node has
   * confirmed it. Default: 0.
   */
  second_opinion_above: decimal.optional(),
  /** EVM only: the most that the nodes let a transaction pay for its gas, in whole coins (`rpc.txfeecap`). "0": no limit. Default: 1. */
  node_fee_max: decimal.optional(),
  /** EVM only: whether ether sent by contracts is detected; `required` refuses nodes that cannot show it. */
  tracing: z.enum(["auto", "required", "off"]).optional(),
});

const token = z.strictObject({
  id: z.string(),
  alpha: z.string(),
  name: z.string(),
  chain: z.string(),
  contract: z.string(),
  exp: z.int(),
  minimal_transfer: z.string().optional(),
  /** Largest plausible amount in whole tokens, as a decimal; a larger one counts as a node's error. Default: 10^13. */
  supply_max: z.string().optional(),
  confirmation_blocks: z.int().optional(),
  priced_as: z.string().optional(),
  is_stablecoin: z.boolean().optional(),
});

const currency = z.strictObject({
  currency: z.string(),
  contract: z.string().optional(),
  confirmation_blocks: z.int().optional(),
  minimal_transfer: z.string().optional(),
});

/** The configuration file of a deployment (TOML or JSON). Every member is validated; unknown members are refused. */
export const configSchema = z.strictObject({
  /** The public URL of the service; links start with it. */
  base_url: z.url({ protocol: /^https?$/, error: "an http or https URL is needed" }),
  listen: z
    .strictObject({ host: z.string().default("127.0.0.1"), port: port.default(8080) })
    .prefault({}),
  http: z
    .strictObject({
      strict_media_types: z.boolean().default(true),
      trusted_proxies: z.int().min(0).default(0),
      cors_origins: z.array(z.string()).default([]),
      /** Networks that may read /metrics on the API's port, in CIDR notation; default: this machine. */
      metrics_networks: z.array(network).default(["127.0.0.0/8", "::1/128"]),
    })
    .prefault({}),
  database: z.strictObject({
    /** Several hosts as in libpq: `postgres://h1,h2/db`. The one that accepts writes is used. */
    url: z.string().min(1).refine(isWritableTarget, {
      error: "target_session_attrs must be read-write, primary or any",
    }),
    /** Longest a statement waits for a lock in PostgreSQL; its caller then gets 503. */
    lock_timeout_seconds: z.int().min(1).max(30).default(5),
    /** How far a process's clock may differ from the database server's; beyond it the process does not work. */
    clock_skew_max_ms: z.int().min(100).max(5_000).default(2_000),
    /** Connections of each process for filtered lists, statistics and reports. */
    long_connections: positive.max(100).default(4),
    /** How many of them one account may use at a time; further requests of it wait. */
    long_connections_per_account: positive.max(100).default(2),
    /** A standby that answers lists, reports and statistics; absent: the primary does. */
    replica: z
      .strictObject({
        /** Of one standby, or of a balancer in front of several. */
        url: z.string().min(1),
        /** How long a read waits for the standby to have what the primary has; beyond it the primary answers. */
        lag_max_ms: z.int().min(10).max(5_000).default(500),
      })
      .optional(),
  }),
  /** How long rows are kept of tables that are partitioned by month; absent: forever. */
  retention: z
    .strictObject({
      /** Attempts of callbacks with their answers. Longer than any retry schedule. */
      callback_attempts_days: z.int().min(30).optional(),
    })
    .prefault({}),
  keys: z.strictObject({
    /** Files of 32 bytes in hex; the first key seals, all of them open. */
    data_key_files: z.array(filePath).min(1, "at least one file is needed"),
  }),
  signer,
  chains: z.record(z.string(), chain),
  /** Chains that this deployment declares as not followed: their currencies are disabled (6002), not unavailable (6015). */
  disabled_chains: z.array(z.string()).default([]),
  tokens: z.array(token).default([]),
  currencies: z.array(currency).default([]),
  rates: z
    .strictObject({
      sources: z
        .array(
          z.strictObject({
            source: z.enum(rateSourceNames as [string, ...string[]]),
            base_url: z.url().optional(),
          }),
        )
        .min(1, "at least one source is needed")
        .prefault(rateSourceNames.map((source) => ({ source }))),
      /**
       * Margin per pair of currency codes (`"ETH/USD"`), in percent of the price: subtracted from the bid and added to the ask,
       * the same in both directions. Default: none.
       */
      margins: z.record(z.string(), decimal).default({}),
    })
    .prefault({}),
  conversions: z
    .strictObject({
      /** Largest position from conversions, long or short, per currency code, as a decimal. Default: unlimited. */
      position_max: z.record(z.string(), decimal).default({}),
    })
    .prefault({}),
  screening: z.strictObject({ url: z.url(), token_file: filePath.optional() }).optional(),
  callbacks: z
    .strictObject({
      allows_http: z.boolean().default(false),
      /** Empty: any port. */
      allowed_ports: z.array(port).default([443, 8443]),
      /** Private networks that callbacks may reach, in CIDR notation. */
      allowed_networks: z.array(network).default([]),
      refused_networks: z.array(network).default([]),
      retry_seconds: z.array(positive).min(1).optional(),
      /** Consecutive failures that open a receiver's circuit breaker. */
      failures_to_open: positive.default(10),
    })
    .prefault({}),
  mail: mail.optional(),
  web_push: webPush,
  people: z
    .strictObject({
      /** Minimum age of a member and its credential before they approve payouts or confirm members. */
      approver_min_age_seconds: z.int().min(0).default(defaultPeopleSettings.approverMinAgeSeconds),
      /** How long a change that loosens protection waits where nobody else could approve it. */
      loosening_wait_seconds: z.int().min(0).default(86_400),
    })
    .prefault({}),
  throttle: z
    .strictObject({
      read: positive.default(defaultThrottleLimits.read),
      create: positive.default(defaultThrottleLimits.create),
      calculate: positive.default(defaultThrottleLimits.calculate),
      token: positive.default(defaultThrottleLimits.token),
      page: positive.default(defaultThrottleLimits.page),
      page_action: positive.default(defaultThrottleLimits.page_action),
      payment_link: positive.default(defaultThrottleLimits.payment_link),
    })
    .prefault({}),
  payment_pages: z
    .strictObject({
      /** Most live connections of one api process, in total and per address. Further clients poll. */
      streams_max: positive.default(5_000),
      streams_per_address_max: positive.default(500),
    })
    .prefault({}),
  deposits: z
    .strictObject({
      rate_lock_seconds: positive.default(900),
      /** Most that the open rate locks of one account may be worth together. Default: unlimited. */
      open_locks_max: z.strictObject({ currency: z.string(), amount: decimal }).optional(),
      revalue_after_seconds: positive.default(7_200),
      /** Addresses derived ahead of use, per kind of address. */
      addresses_ahead: positive.default(2_000),
    })
    .prefault({}),
  /** Absent: the deployment only receives. */
  payouts: z
    .strictObject({
      /** The Ed25519 private key (PEM) with which the api approves payouts; the signer has its public key. */
      approval_key_file: filePath,
      /** Who pays the network fee of tokens: the account's Enterprise wallet in the chain's coin, or the operator. */
      token_fees: z.enum(["operator", "wallet"]).default("wallet"),
      /** A decision about a payout that converts currencies, made later than this, charges the current ask. */
      revalue_after_seconds: positive.default(900),
      /** Most payouts that one transaction pays, where it can pay several. Null: 20 on chains of coins, and as many as the chain takes where an account pays. */
      batch_max: z.int().min(1).max(100).nullable().default(defaultSendSettings.batchMax),
      /** Whether hot accounts delegate to a contract of ours (EIP-7702) to pay several receivers in one transaction. */
      batch_by_delegation: z.boolean().default(defaultSendSettings.setsUpBatching),
      /** Most transactions of one paying account that wait for a block at once. Null: 200 for XRP, otherwise 64. */
      in_flight_max: positive.nullable().default(defaultSendSettings.inFlightMax),
      /** A transaction that waits for a block so long is replaced by a dearer one. */
      stuck_after_seconds: positive.default(defaultSpendSettings.stuckAfterSeconds),
      /** Most that one transaction may burn, by the coin's alpha code, as a decimal; default: ten times the high quote. */
      fee_ceilings: z.record(z.string(), decimal).default({}),
      /** Deposits are swept when they are worth so many times their part of the fee. */
      sweep_worth_times: positive.default(Number(defaultSweepSettings.worthTimes)),
      /** Most to lie hot, by the currency's alpha code, as a decimal; what is above goes to the chain's cold address. */
      hot_ceilings: z.record(z.string(), decimal).default({}),
      /** By the chain's code; the signer's limits must name the same address. */
      cold_addresses: z.record(z.string(), z.string()).default({}),
      /** Chains of coins: beyond so many coins the small ones are made one while fees are low. */
      coins_max: positive.default(defaultConsolidationSettings.coinsMax),
      /** From which amount on a payout must name its receiver, by the currency's alpha code; default: always. */
      travel_rule_from: z.record(z.string(), decimal).default({}),
    })
    .optional(),
  /** Where a separate worker serves /healthz, /readyz and /metrics. */
  worker: z
    .strictObject({
      host: z.string().default("127.0.0.1"),
      port: port.default(8081),
      /**
       * How long a chain or a recurring job may pause after its worker died; default: 60 s for chains, 15 s for jobs. A
       * worker that renews too late loses its lease to another one.
       */
      lease_seconds: z.int().min(2).optional(),
    })
    .prefault({}),
  /** Absent: no traces are recorded. */
  tracing: z
    .strictObject({
      /** An OpenTelemetry collector's base URL for OTLP over HTTP; traces go to `/v1/traces` below it. */
      endpoint: nodeUrl,
      header_files: z.record(headerName, filePath).default({}),
      sample_ratio: z.number().gt(0).max(1).default(1),
    })
    .optional(),
  log: z
    .strictObject({ level: z.enum(["debug", "info", "warn", "error"]).default("info") })
    .prefault({}),
});

export type Config = z.output<typeof configSchema>;
export type ChainConfig = Config["chains"][string];
export type NodeConfig = ChainConfig["nodes"][number];
