import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { Teardown } from "../../src/main/processes/teardown.ts";
import { present } from "../../src/platform/kernel/assert.ts";
import { silentLogger } from "../../src/platform/kernel/logger.ts";
import { systemClock } from "../../src/platform/kernel/system-clock.ts";
import type { EvmSite } from "../../src/sandbox/sandbox-file.ts";
import { ApiClient, type SeenCall } from "../chaos/api-client.ts";
import { ChainActor } from "../chaos/chain-actor.ts";
import type { OpenTruth } from "../chaos/chains/chaos-chain.ts";
import { evmControl, newEvmAddress, openEvmTruth } from "../chaos/chains/evm.ts";
import { checkEverything } from "../chaos/check-everything.ts";
import { startReceiver } from "../chaos/deployment.ts";
import { readFeed, type SeenEvent } from "../chaos/feed-reader.ts";
import type { Finding } from "../chaos/finding.ts";
import { fundAccount } from "../chaos/fund-deployment.ts";
import { heal } from "../chaos/heal.ts";
import { createAndPay, type KnownDeposit } from "../chaos/load.ts";
import { openSql } from "../chaos/open-sql.ts";
import { payOut, type RequestedPayout } from "../chaos/pay-out-load.ts";
import { readDeliveries } from "../chaos/read-deliveries.ts";
import { seededChoices } from "../chaos/seeded-choices.ts";
import { type RequestedDecision, settleUnresolved } from "../chaos/settle-load.ts";
import { quietPort } from "../scenarios/support/quiet-port.ts";
import { changeLinks, type RunningCluster, runCluster } from "./running-cluster.ts";
import { type Round, roundsTable, strikeRounds } from "./strike-rounds.ts";

export type FailoverOptions = {
  /** Of each fault. */
  readonly rounds: number;
  /** Names of `clusterFaults`. */
  readonly faults: readonly string[];
  readonly seed: number;
  /** Contains everything of the run. */
  readonly folder: string;
  /** The time limit from the last fault until everything is at rest. */
  readonly healSeconds: number;
  readonly print: (line: string) => void;
};

const chain = "ETH";
const creators = 3;
const payers = 2;
/** Longer than any request takes: what hangs counts as an outage. */
const patienceMs = 60_000;
/** More than the confirmations of any currency here. */
const blocksAtTheEnd = 14;
/** The cluster makes the blocks. */
const pace = { blockMs: Number.POSITIVE_INFINITY, reorgChance: 0, faultChance: 0 };
/** Longer than reading a block takes. */
const settleMs = 2_000;

/**
 * Runs `npm run cluster` under load, strikes its database with faults, lets it come to rest, and compares its records with what its clients
 * saw, the node, and the callback receiver. Resolves with everything that is wrong.
 */
export async function runFailover(
  options: FailoverOptions,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const { folder, print } = options;
  const teardown = new Teardown(silentLogger);
  try {
    const deliveries = join(folder, "deliveries.jsonl");
    const [cluster, receiverUrl] = await Promise.all([
      runCluster(join(folder, "cluster"), await quietPort(), chain, teardown),
      startReceiver(deliveries, teardown),
    ]);
    print(`Cluster at ${cluster.first.base_url}, seed ${options.seed}`);
    const site = present(cluster.first.chains[chain], chain) as EvmSite;
    const [control, reader] = [evmControl(chain, site), openEvmTruth(chain, site)];
    const { sql, close } = openSql(cluster.databaseUrl);
    teardown.add("connections", async () => {
      await Promise.all([control.close(), reader.close(), close()]);
    });
    const view = upToHeight(reader);
    const actor = new ChainActor(chain, control, view.reader, seededChoices(options.seed + 1));
    return await runOn(
      {
        options,
        cluster,
        sql,
        chain: { actor, reader: view.reader },
        endAt: view.endAt,
        receiverUrl,
        deliveries,
      },
      signal,
    );
  } finally {
    await teardown.run();
  }
}

type Site = {
  readonly options: FailoverOptions;
  readonly cluster: RunningCluster;
  readonly sql: ReturnType<typeof openSql>["sql"];
  readonly chain: { readonly actor: ChainActor; readonly reader: OpenTruth };
  /** Ends the chain at that height for the checks. */
  readonly endAt: (height: number) => void;
  readonly receiverUrl: string;
  readonly deliveries: string;
};

/** The cluster makes blocks until it is stopped, so the checks end where the service does. */
function upToHeight(reader: OpenTruth): Pick<Site, "endAt"> & { readonly reader: OpenTruth } {
  let end = Number.POSITIVE_INFINITY;
  return {
    endAt: (height) => {
      end = height;
    },
    reader: { ...reader, tipHeight: async () => Math.min(end, await reader.tipHeight()) },
  };
}

/** Lets no worker read further blocks; resolves when what was under way is over. */
async function endChain({ cluster, sql, chain: { actor }, endAt }: Site): Promise<void> {
  const workers = cluster.first.processes.filter(({ role }) => role === "worker");
  const reads = cluster.first.links.filter(
    ({ from_name, to_name }) =>
      to_name === `node-${chain}` && workers.some(({ name }) => name === from_name),
  );
  await changeLinks(reads, "cut");
  await systemClock.sleep(settleMs);
  const [cursor] = await sql<{ height: string }>(
    "select height from chain_cursor where chain = $1",
    [chain],
  );
  endAt(Number(cursor?.height));
  await actor.best.update();
}

async function runOn(site: Site, signal: AbortSignal): Promise<readonly string[]> {
  const { options, cluster, sql, receiverUrl } = site;
  const { seed, print } = options;
  const { actor } = site.chain;
  const calls: SeenCall[] = [];
  const client = new ApiClient([cluster.first.base_url], cluster.first, {
    patienceMs,
    onCall: (call) => calls.push(call),
  });
  const deposits: KnownDeposit[] = [];
  const payouts: RequestedPayout[] = [];
  const decisions: RequestedDecision[] = [];
  const feed: SeenEvent[] = [];
  const stops = {
    load: new AbortController(),
    chain: new AbortController(),
    feed: new AbortController(),
  };
  const load = {
    deployment: { account: cluster.first, receiverUrl },
    client,
    deposits,
    choices: seededChoices(seed + 3),
    chains: new Map([[chain, { actor, newAddress: newEvmAddress }]]),
  };
  await fundAccount(load, sql, signal);
  const life = actor.run(pace, stops.chain.signal);
  const background = [
    ...Array.from({ length: creators }, () => createAndPay(load, stops.load.signal)),
    ...Array.from({ length: payers }, () => payOut(load, payouts, stops.load.signal)),
    settleUnresolved(load, decisions, stops.load.signal),
    readFeed(client, feed, stops.feed.signal),
  ];
  try {
    const choices = seededChoices(seed);
    const rounds = await strikeRounds(
      cluster,
      { rounds: options.rounds, names: options.faults, calls, choices, print },
      signal,
    );
    signal.throwIfAborted();
    print(`\n${roundsTable(rounds)}\n`);
    stops.load.abort();
    stops.chain.abort();
    await life;
    for (let block = 0; block < blocksAtTheEnd; block += 1) await actor.mine();
    const unrest = await heal({ ...options, sql, chains: [site.chain], feed, signal });
    stops.feed.abort();
    await Promise.all(background);
    await endChain(site);
    const evidence = { sql, chains: [site.chain], deposits, payouts, decisions, feed, print };
    const findings = [
      ...(await checkEverything({
        ...evidence,
        deliveries: await readDeliveries(site.deliveries),
      })),
      { invariant: "everything comes to rest in time", checked: 1, faults: unrest },
      {
        invariant: "no client is refused needlessly",
        checked: calls.length,
        faults: client.faults,
      },
      ofRounds(rounds),
      await ofLogs(cluster.logFolder),
    ];
    report(findings, client, print);
    return findings.flatMap(({ invariant, faults }) => faults.map((one) => `${invariant}: ${one}`));
  } finally {
    for (const stop of Object.values(stops)) stop.abort();
    await Promise.allSettled([...background, life]);
  }
}

function ofRounds(rounds: readonly Round[]): Finding {
  return {
    invariant:
      "clients see 503 with Retry-After and nothing else, for as long as a failover takes and 5 s",
    checked: rounds.length,
    faults: rounds.flatMap(({ fault, faults }) => faults.map((one) => `${fault}: ${one}`)),
  };
}

type LogLine = { readonly level?: string; readonly msg?: string; readonly stack?: string };

/** Nothing is taken for a restored database, and no invariant is violated. */
async function ofLogs(folder: string): Promise<Finding> {
  const files = (await readdir(folder)).filter((name) => /^(api|worker)-/.test(name));
  const faults: string[] = [];
  let checked = 0;
  for (const file of files) {
    const lines = (await readFile(join(folder, file), "utf8")).split("\n");
    for (const line of lines.filter((one) => one.startsWith("{"))) {
      checked += 1;
      const { level = "", msg = "" } = JSON.parse(line) as LogLine;
      if (/retired|restored/.test(msg) || level === "fatal" || line.includes("InvariantViolation"))
        faults.push(`${file}: ${line.slice(0, 500)}`);
    }
  }
  return { invariant: "no process takes the database for a restored one", checked, faults };
}

function report(
  findings: readonly Finding[],
  client: ApiClient,
  print: (line: string) => void,
): void {
  print(
    `API answers: ${[...client.answers].map(([one, count]) => `${one} ${count} times`).join(", ")}`,
  );
  for (const { invariant, checked, faults } of findings) {
    print(`${faults.length === 0 ? "ok    " : "FAILED"} ${invariant} (${checked})`);
    for (const fault of faults.slice(0, 10)) print(`         ${fault}`);
    if (faults.length > 10) print(`         and ${faults.length - 10} more`);
  }
}
