import { systemClock } from "../../src/platform/kernel/system-clock.ts";
import { ApiClient } from "./api-client.ts";
import { ChainActor } from "./chain-actor.ts";
import type { ChaosChain, OpenChainControl, OpenTruth } from "./chains/chaos-chain.ts";
import { checkEverything } from "./check-everything.ts";
import { checkJournals } from "./check-journals.ts";
import type { Deployment } from "./deployment.ts";
import { readFeed, type SeenEvent } from "./feed-reader.ts";
import type { CheckedChain, Finding } from "./finding.ts";
import { fundDeployment } from "./fund-deployment.ts";
import { heal } from "./heal.ts";
import { describeInFlight } from "./in-flight.ts";
import { createAndPay, type KnownDeposit } from "./load.ts";
import { openSql } from "./open-sql.ts";
import type { ChaosOptions } from "./options.ts";
import { payOut, type RequestedPayout } from "./pay-out-load.ts";
import { readDeliveries } from "./read-deliveries.ts";
import { type JournalRecord, readJournals, recordJournals } from "./record-journals.ts";
import { seededChoices } from "./seeded-choices.ts";
import { type RequestedDecision, settleUnresolved } from "./settle-load.ts";
import type { Kill } from "./strike.ts";

const creators = 3;
const payers = 2;
/** Before and after the disturbance. */
const calmMs = 2_000;
const journalPollMs = 100;

export type LoadOptions = Pick<ChaosOptions, "seed" | "healSeconds" | "print">;

export type LoadReport = {
  readonly findings: readonly Finding[];
  /** All faults found, and what went wrong with the service on the way. */
  readonly faults: readonly string[];
};

/** What was acknowledged to clients so far. */
export type Progress = () => { readonly deposits: number; readonly payouts: number };

/** What is done to the deployment while it is under load; resolves with the kills, and what it checked itself. */
export type Disturb = (
  deployment: Deployment,
  progress: Progress,
) => Promise<{ readonly kills: readonly Kill[]; readonly findings: readonly Finding[] }>;

/**
 * Puts a deployment under load, disturbs it, lets it come to rest, and compares its records with the nodes, the clients and the
 * callback receiver. Aborting `signal` ends the load; everything started is stopped in any case.
 */
export async function runUnderLoad(
  options: LoadOptions,
  deployment: Deployment,
  disturb: Disturb,
  signal: AbortSignal,
): Promise<LoadReport> {
  const chains = deployment.chains.map((chain, index) =>
    openChain(chain, options.seed + (index === 0 ? 1 : 9 + index)),
  );
  try {
    return await runOn(options, deployment, chains, disturb, signal);
  } finally {
    await Promise.all(chains.flatMap(({ control, reader }) => [control.close(), reader.close()]));
    await deployment.stop();
  }
}

type OpenChain = CheckedChain & {
  readonly chain: ChaosChain;
  readonly control: OpenChainControl;
  readonly reader: OpenTruth;
};

function openChain(chain: ChaosChain, seed: number): OpenChain {
  const [control, reader] = [chain.openControl(), chain.openTruth()];
  const actor = new ChainActor(chain.chain, control, reader, seededChoices(seed));
  return { chain, control, reader, actor };
}

async function runOn(
  options: LoadOptions,
  deployment: Deployment,
  chains: readonly OpenChain[],
  disturb: Disturb,
  signal: AbortSignal,
): Promise<LoadReport> {
  const { print } = options;
  const client = new ApiClient(deployment.baseUrls, deployment.account, {
    passingCodes: deployment.passingCodes,
  });
  const deposits: KnownDeposit[] = [];
  const payouts: RequestedPayout[] = [];
  const decisions: RequestedDecision[] = [];
  const feed: SeenEvent[] = [];
  const [stopCreating, stopChains, stopReading] = [0, 1, 2].map(() => new AbortController()) as [
    AbortController,
    AbortController,
    AbortController,
  ];
  const load = {
    deployment,
    client,
    deposits,
    choices: seededChoices(options.seed + 3),
    chains: new Map(
      chains.map(({ chain, actor }) => [chain.chain, { actor, newAddress: chain.newAddress }]),
    ),
  };
  const { sql, close } = openSql(deployment.databaseUrl);
  await fundDeployment(load, deployment, sql, signal).catch(async (error: unknown) => {
    await close();
    throw error;
  });
  const journals = recordJournals(deployment.signers.journals);
  const background = [
    keepRecording(journals, stopReading.signal),
    ...Array.from({ length: creators }, () => createAndPay(load, stopCreating.signal)),
    ...Array.from({ length: payers }, () => payOut(load, payouts, stopCreating.signal)),
    settleUnresolved(load, decisions, stopCreating.signal),
    readFeed(client, feed, stopReading.signal),
  ];
  const lives = chains.map(({ actor, chain }) => actor.run(chain.pace, stopChains.signal));
  try {
    await systemClock.sleep(calmMs, signal);
    const { kills, findings: own } = await disturb(deployment, () => ({
      deposits: deposits.length,
      payouts: payouts.length,
    }));
    await systemClock.sleep(calmMs, signal);
    signal.throwIfAborted();
    stopCreating.abort();
    stopChains.abort();
    await Promise.all(lives);
    const unrest = await heal({ ...options, sql, chains, feed, signal });
    const lacking = await deployment.signers.untilInSync(options.healSeconds * 1_000, signal);
    stopReading.abort();
    await Promise.all(background);
    for (const line of await describeInFlight(sql, kills)) print(`Killed ${line}`);
    const evidence = {
      sql,
      chains,
      deposits,
      payouts,
      decisions,
      feed,
      print,
      deliveries: await readDeliveries(deployment.deliveries),
    };
    const findings = [
      ...own,
      ...(await checkEverything(evidence)),
      await checkJournals(evidence, {
        present: await readJournals(deployment.signers.journals),
        ever: journals.lines(),
      }),
      {
        invariant: "everything comes to rest in time",
        checked: 1,
        faults: [...unrest, ...(lacking === null ? [] : [lacking])],
      },
      service(client, deployment),
    ];
    report(findings, chains, client, print);
    return {
      findings,
      faults: findings.flatMap(({ invariant, faults }) =>
        faults.map((fault) => `${invariant}: ${fault}`),
      ),
    };
  } finally {
    for (const stop of [stopCreating, stopChains, stopReading]) stop.abort();
    await Promise.allSettled([...background, ...lives]);
    await close();
  }
}

async function keepRecording(journals: JournalRecord, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await journals.update();
    await systemClock.sleep(journalPollMs, signal);
  }
  await journals.update();
}

function service(client: ApiClient, deployment: Deployment): Finding {
  return {
    invariant: "no process exits by itself, and no request is refused needlessly",
    checked: [...client.answers.values()].reduce((sum, count) => sum + count, 0),
    faults: [...deployment.ownEnds, ...client.faults],
  };
}

function report(
  findings: readonly Finding[],
  chains: readonly OpenChain[],
  client: ApiClient,
  print: (line: string) => void,
): void {
  for (const { actor } of chains) {
    const { blocks, reorgs, faults, paid, sentAgain } = actor.counts;
    const refusals = [...actor.refusals].map(([reason, count]) => `${count} times ${reason}`);
    print(
      `${actor.chain}: height ${actor.best.height}, ${blocks} blocks mined, ${reorgs} reorgs besides those by kills, ${faults} other faults, ` +
        `${paid} payments sent, ${sentAgain} of them again; refused: ${refusals.length === 0 ? "nothing" : refusals.join(", ")}`,
    );
  }
  const answers = [...client.answers].map(([answer, count]) => `${answer} ${count} times`);
  print(`API answers: ${answers.join(", ")}`);
  for (const { invariant, checked, faults } of findings) {
    print(`${faults.length === 0 ? "ok    " : "FAILED"} ${invariant} (${checked})`);
    for (const fault of faults.slice(0, 10)) print(`         ${fault}`);
    if (faults.length > 10) print(`         and ${faults.length - 10} more`);
  }
}
