import { mkdtemp, rm } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Pool } from "undici";
import { afterAll, beforeAll } from "vitest";
import { createDepositSink } from "../../src/deposits/payments/block-sink.ts";
import type { Server } from "../../src/http/server/server.ts";
import { buildApi } from "../../src/main/build/build-api.ts";
import { createFoundation, depositContext } from "../../src/main/build/foundation.ts";
import { readConfig } from "../../src/main/config/read-config.ts";
import { createMetrics } from "../../src/main/metrics/metrics.ts";
import { present } from "../../src/platform/kernel/assert.ts";
import { addSeconds } from "../../src/platform/kernel/clock.ts";
import type { JsonObject } from "../../src/platform/kernel/json.ts";
import { type Logger, silentLogger } from "../../src/platform/kernel/logger.ts";
import { systemClock } from "../../src/platform/kernel/system-clock.ts";
import { systemRandom } from "../../src/platform/kernel/system-random.ts";
import { createApprovalKey } from "../../src/signer/keys/approval-key.ts";
import { addAddresses } from "../../src/treasury/holdings/address.store.ts";
import { type ApiCheck, createApiCheck, type HttpAnswer } from "./api-check.ts";
import { type ApiResponse, seen } from "./api-server.ts";
import { writeDeployment } from "./command-line.ts";
import type { TestDatabase } from "./database.ts";
import type { DepositWorld } from "./deposit-world.ts";
import { startFeeNode } from "./fee-node.ts";
import type { ManualClock } from "./manual-clock.ts";
import { accountsContext, arrangeMember, type TestMember } from "./test-accounts.ts";

export type WholeRequest = {
  readonly method: string;
  /** As in the request line. */
  readonly path: string;
  /** An access token; null or absent: none is sent. */
  readonly as?: string | null;
  /** Sent as JSON; a string or bytes are sent unchanged. */
  readonly body?: JsonObject | string | Uint8Array;
  /** Override the default headers; undefined omits one. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
};

export type WholeApi = {
  readonly database: TestDatabase;
  readonly clock: ManualClock;
  /** Where it listens. */
  readonly url: () => string;
  readonly server: () => Server;
  /** Its description, `/openapi.json`. */
  readonly description: () => JsonObject;
  /** Sends a request over HTTP and checks the response against JSON:API and the API's own description. */
  readonly ask: (request: WholeRequest) => Promise<ApiResponse>;
  /** The same without checks. */
  readonly exchange: (request: WholeRequest) => Promise<HttpAnswer>;
  readonly arrangeMember: (options?: Parameters<typeof arrangeMember>[1]) => Promise<TestMember>;
  /** Logs in over HTTP: an access token. */
  readonly tokenOf: (member: Pick<TestMember, "login" | "password">) => Promise<string>;
  /** Reports what a follower of its chains would. */
  readonly world: () => DepositWorld;
  /** The failures that it logged since the last call. */
  readonly failures: () => readonly string[];
};

const openThrottle = {
  read: 1e9,
  create: 1e9,
  calculate: 1e9,
  token: 1e9,
  page: 1e9,
  page_action: 1e9,
  payment_link: 1e9,
};
/** The contracts of a private Ethereum's tokens. */
const contracts = {
  "USDT-ETH": "0x5fbdb2315678afecb367f032d93f642f64180aa3",
  "USDC-ETH": "0xe7f1725e7734ce288f8367e1bb143e90bb3f0512",
  "DAI-ETH": "0x9fe46736679d2d9a65f0992f2272de9f3c7fa6e0",
};

const chainId = 1337;
/** The payer on Ethereum; no worker of this deployment has stored one. */
const hot = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";

/**
 * A listening API of a deployment as `sluice api` builds it from its configuration file, over this test file's database. Ethereum
 * and Bitcoin are followed; ether and its tokens can be paid, bitcoin has no fee quotes. Nothing is throttled unless `settings`
 * configure it.
 */
export function useWholeApi(
  database: TestDatabase,
  settings: Readonly<Record<string, unknown>> = {},
  clock: ManualClock = clockAhead(),
): WholeApi {
  const failed: string[] = [];
  const logger: Logger = {
    ...silentLogger,
    error: (message, fields) => failed.push(`${message} ${JSON.stringify(fields)}`),
    with: () => logger,
  };
  let open: Running | null = null;
  const running = (): Running => present(open, "the API is there only inside tests");

  beforeAll(async () => {
    open = await start(database, settings, { clock, logger, random: systemRandom });
  });
  afterAll(() => open?.stop());

  const exchange: WholeApi["exchange"] = (request) => send(running().pool, request);
  const ask: WholeApi["ask"] = async (request) => {
    const answer = await exchange(request);
    running().check({ method: request.method, url: request.path }, answer);
    return seen(answer);
  };
  return {
    database,
    clock,
    url: () => running().url,
    server: () => running().server,
    description: () => running().description,
    ask,
    exchange,
    arrangeMember: (options) => arrangeMember(accountsContext(database.db, clock), options),
    tokenOf: async ({ login, password }) => {
      const body = { data: { type: "auth-token", attributes: { login, password } } };
      const { one } = await ask({ method: "POST", path: "/token/", body });
      return one.attributes["access"] as string;
    },
    world: () => running().world,
    failures: () => failed.splice(0),
  };
}

/** The system's clock plus what it was advanced by. */
function clockAhead(): ManualClock {
  let ahead = 0;
  return {
    now: () => addSeconds(systemClock.now(), ahead),
    sleep: (delayMs, signal) => systemClock.sleep(delayMs, signal),
    advance: (seconds) => {
      ahead += seconds;
    },
  };
}

type Running = {
  readonly server: Server;
  readonly url: string;
  readonly pool: Pool;
  readonly description: JsonObject;
  readonly check: ApiCheck;
  readonly world: DepositWorld;
  readonly stop: () => Promise<void>;
};

async function start(
  database: TestDatabase,
  settings: Readonly<Record<string, unknown>>,
  world: {
    readonly clock: ManualClock;
    readonly random: typeof systemRandom;
    readonly logger: Logger;
  },
): Promise<Running> {
  const keys = await mkdtemp(join(tmpdir(), "sluice-approval-"));
  const approvalKey = join(keys, "approval.pem");
  await createApprovalKey(approvalKey, world.random);
  const feeNode = await startFeeNode(chainId);
  const files = await writeDeployment(database.url, {
    chains: {
      ETH: { network: "regtest", nodes: [feeNode.url], chain_id: chainId },
      BTC: { network: "regtest", nodes: ["http://127.0.0.1:9"] },
    },
    currencies: [
      { currency: "ETH", confirmation_blocks: 2 },
      ...Object.entries(contracts).map(([currency, contract]) => ({ currency, contract })),
    ],
    throttle: openThrottle,
    people: { approver_min_age_seconds: 0 },
    // The api only writes emails; no worker sends them here.
    mail: { host: "127.0.0.1", port: 9, tls: "none", from: "noreply@pay.example" },
    ...settings,
    payouts: { approval_key_file: approvalKey, ...(Object(settings["payouts"]) as object) },
  });
  const config = await readConfig(files.configFile);
  const foundation = await createFoundation(config, world, "api");
  const server = await buildApi(
    foundation,
    createMetrics(foundation.db, world.clock, foundation.clockGuard),
  );
  await server.listen({ host: "127.0.0.1", port: 0 });
  const url = `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`;
  const pool = new Pool(url, { connections: 16, keepAliveTimeout: 60_000 });
  const { body } = await send(pool, { method: "GET", path: "/openapi.json" });
  const description = JSON.parse(body) as JsonObject;
  const context = {
    ...depositContext(foundation),
    freezeRates: foundation.freezeRates,
    payoutRevalueAfterSeconds: 900,
    db: database.db,
    clock: world.clock,
    refunds: foundation.refunds,
  };
  await addAddresses(
    database.db,
    [
      {
        keyspace: "evm",
        watchKey: hot.toLowerCase(),
        address: hot,
        tag: null,
        addressType: "",
        purpose: "hot",
        keyIndex: 0,
        isIssued: true,
      },
    ],
    world.clock.now(),
  );
  return {
    server,
    url,
    pool,
    description,
    check: createApiCheck(description),
    world: {
      database,
      context,
      clock: world.clock,
      sink: createDepositSink(context),
      rates: new Map(),
    },
    stop: async () => {
      await pool.close();
      await server.close();
      await foundation.db.close();
      await feeNode.stop();
      await files.remove();
      await rm(keys, { recursive: true, force: true });
    },
  };
}

async function send(pool: Pool, request: WholeRequest): Promise<HttpAnswer> {
  const { method, path, as = null, body = null } = request;
  const sent: Readonly<Record<string, string | undefined>> = {
    ...(as === null ? {} : { authorization: `Bearer ${as}` }),
    ...(body === null ? {} : { "content-type": "application/vnd.api+json" }),
    ...request.headers,
  };
  const isPlain = body === null || typeof body === "string" || body instanceof Uint8Array;
  const answer = await pool.request({
    method,
    path,
    headers: Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== undefined)),
    body: isPlain ? body : JSON.stringify(body),
  });
  return {
    status: answer.statusCode,
    headers: Object.fromEntries(
      Object.entries(answer.headers).map(([name, value]) => [name, String(value)]),
    ),
    body: await answer.body.text(),
  };
}

/** Status, then code and place of each error: `400 1007 /data/attributes/label`. */
export function describeResponse({ status, errors }: ApiResponse): string {
  if (status < 400) return String(status);
  const each = errors.map(({ code, source }) => [code, ...Object.values(source ?? {})].join(" "));
  return [String(status), ...each].join(" ");
}

/** Count and digest of every table, except those that count requests and guesses. Equal before and after: nothing changed. */
export async function databaseDigest({ sql }: TestDatabase): Promise<Record<string, string>> {
  const tables = await sql<{ name: string }>(
    `select table_name as name from information_schema.tables
     where table_schema = 'public' and table_type = 'BASE TABLE' and table_name not in ('throttle_window', 'guess_window') order by 1`,
  );
  const each = tables.map(
    ({ name }) =>
      `select '${name}' as name, count(*) || ' ' || coalesce(md5(string_agg(t::text, '\n' order by t::text)), '') as digest from ${name} t`,
  );
  const rows = await sql<{ name: string; digest: string }>(each.join(" union all "));
  return Object.fromEntries(rows.map(({ name, digest }) => [name, digest]));
}
