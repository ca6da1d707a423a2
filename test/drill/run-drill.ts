import { execFile } from "node:child_process";
import { chmod, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { present } from "../../src/platform/kernel/assert.ts";
import { systemClock } from "../../src/platform/kernel/system-clock.ts";
import { ApiClient } from "../chaos/api-client.ts";
import { ChainActor } from "../chaos/chain-actor.ts";
import { checkLedger } from "../chaos/check-ledger.ts";
import { checkPayments } from "../chaos/check-payments.ts";
import { checkPayouts } from "../chaos/check-payouts.ts";
import { type Deployment, startDeployment } from "../chaos/deployment.ts";
import { readFeed, type SeenEvent } from "../chaos/feed-reader.ts";
import type { CheckedChain, Finding } from "../chaos/finding.ts";
import { fundDeployment } from "../chaos/fund-deployment.ts";
import { heal } from "../chaos/heal.ts";
import { createAndPay, type KnownDeposit, type Load } from "../chaos/load.ts";
import { openSql } from "../chaos/open-sql.ts";
import { payOut, type RequestedPayout } from "../chaos/pay-out-load.ts";
import { ownProgram, programPart } from "../chaos/program-part.ts";
import { seededChoices } from "../chaos/seeded-choices.ts";
import { quietPort } from "../scenarios/support/quiet-port.ts";
import { type ArchivedDatabase, archivedDatabase } from "./archived-database.ts";
import { checkReceivers, checkReuse, findForgotten, type Told } from "./check-outcome.ts";

export type DrillOptions = {
  /** Contains everything of the run. */
  readonly folder: string;
  readonly chains: readonly string[];
  readonly seed: number;
  /** Of load before the backup, between the backup and the time that is restored, and after the restore. */
  readonly seconds: number;
  /** pgBackRest. */
  readonly program: string;
  readonly healSeconds: number;
  readonly print: (line: string) => void;
};

export type DrillReport = {
  readonly findings: readonly Finding[];
  readonly faults: readonly string[];
};

const creators = 2;
const payers = 1;
const pollMs = 200;
const patienceMs = 540_000;
/** Sent between the restored time and the loss, so that only the signer's journal and the chain know them. */
const forgottenPayoutsMin = 2;

/**
 * Runs a deployment under load, backs it up with the documented commands while it works, loses database and signer's folder some
 * time later, restores both to an empty place and a time in between, starts the service there, and compares what clients were
 * told and what the chains contain with it. What the run did not reach counts as a fault.
 */
export async function runDrill(options: DrillOptions, signal: AbortSignal): Promise<DrillReport> {
  const { folder, print } = options;
  // The server's user has to reach its data.
  await chmod(folder, 0o755);
  const database = await archivedDatabase(await publicFolder(folder), options.program);
  const copyFolder = join(folder, "journal-copies");
  await mkdir(copyFolder, { mode: 0o700 });
  const deployment = await startDeployment({
    ...options,
    database,
    adjust: (config) => ({
      signer: { ...config.signer, copy_folder: copyFolder },
      // What was swept from an address that a restored database has forgotten is a difference in its books, which a person books.
      payouts: { ...present(config.payouts, "payouts"), sweep_worth_times: 1_000_000 },
    }),
  });
  const chains = deployment.chains.map((chain, index) => {
    const [control, reader] = [chain.openControl(), chain.openTruth()];
    const actor = new ChainActor(chain.chain, control, reader, seededChoices(options.seed + index));
    return { chain, control, reader, actor };
  });
  const stopChains = new AbortController();
  try {
    const client = new ApiClient(deployment.baseUrls, deployment.account);
    const deposits: KnownDeposit[] = [];
    const load: Load = {
      deployment,
      client,
      deposits,
      choices: seededChoices(options.seed + 100),
      chains: new Map(
        chains.map(({ chain, actor }) => [chain.chain, { actor, newAddress: chain.newAddress }]),
      ),
    };
    const { sql, close } = openSql(deployment.databaseUrl);
    await fundDeployment(load, deployment, sql, signal).finally(close);
    // Payers and miners never stop: neither for the loss nor for the restore.
    const lives = chains.map(({ actor, chain }) =>
      actor.run({ ...chain.pace, reorgChance: 0, faultChance: 0 }, stopChains.signal),
    );
    const drill = new Drill({ options, deployment, database, chains, load, signal });
    try {
      return await drill.run();
    } finally {
      stopChains.abort();
      await Promise.all(lives);
      await drill.stop();
    }
  } finally {
    stopChains.abort();
    await Promise.all(chains.flatMap(({ control, reader }) => [control.close(), reader.close()]));
    await deployment.stop();
    print("Everything is stopped");
  }
}

async function publicFolder(folder: string): Promise<string> {
  const own = join(folder, "database");
  await mkdir(own, { mode: 0o755 });
  return own;
}

type Context = {
  readonly options: DrillOptions;
  readonly deployment: Deployment;
  readonly database: ArchivedDatabase;
  readonly chains: readonly CheckedChain[];
  readonly load: Load;
  readonly signal: AbortSignal;
};

class Drill {
  readonly #context: Context;
  readonly #payouts: RequestedPayout[] = [];
  readonly #stops: (() => Promise<void>)[] = [];

  constructor(context: Context) {
    this.#context = context;
  }

  async run(): Promise<DrillReport> {
    const { options, database, load } = this.#context;
    const first = this.#startLoad();
    await this.#sleep(options.seconds);
    const backups = join(options.folder, "signer-backups");
    const startedAt = this.#told();
    await this.#timed("Backed up under load", () =>
      this.#sluice(this.#context.deployment.configFile, [
        "backup",
        backups,
        "--database",
        database.backupCommand,
      ]),
    );
    const atBackup = this.#told();
    this.#say(
      `During the backup ${atBackup.deposits - startedAt.deposits} deposits and ${atBackup.payouts - startedAt.payouts} payouts were created`,
    );
    await this.#sleep(options.seconds);
    const atTime = this.#told();
    const time = await database.now();
    await this.#untilSent(atTime.payouts);
    const atLoss = await this.#lose(first);
    this.#say(
      `To be restored: ${time}, until when ${atTime.deposits} deposits and ${atTime.payouts} payouts were acknowledged, of ${atLoss.deposits} and ${atLoss.payouts} until the loss`,
    );
    const told: Told = { deposits: load.deposits, payouts: this.#payouts, atTime, atLoss };
    const [backup] = await readdir(backups);
    const url = await this.#restore(join(backups, present(backup, "a backup")), time);
    return this.#prove(told, url);
  }

  /** Ends what the restore started. */
  async stop(): Promise<void> {
    for (const stop of this.#stops.reverse()) await stop();
  }

  #startLoad(): { readonly stop: () => Promise<void> } {
    const { load } = this.#context;
    const stopping = new AbortController();
    const running = [
      ...Array.from({ length: creators }, () => createAndPay(load, stopping.signal)),
      ...Array.from({ length: payers }, () => payOut(load, this.#payouts, stopping.signal)),
    ];
    const stop = async (): Promise<void> => {
      stopping.abort();
      await Promise.all(running);
    };
    this.#stops.push(stop);
    return { stop };
  }

  #told(): { readonly deposits: number; readonly payouts: number } {
    return { deposits: this.#context.load.deposits.length, payouts: this.#payouts.length };
  }

  /** Waits until receivers of payouts created since were paid. */
  async #untilSent(from: number): Promise<void> {
    const { chains, signal } = this.#context;
    for (let waitedMs = 0; waitedMs < patienceMs; waitedMs += pollMs) {
      const paid = new Set(
        chains.flatMap(({ actor }) =>
          actor.best.blocks.flatMap(({ outputs }) =>
            outputs.map(({ address }) => address.toLowerCase()),
          ),
        ),
      );
      const sent = this.#payouts
        .slice(from)
        .filter(({ id, address }) => id !== null && paid.has(address.toLowerCase()));
      if (sent.length >= forgottenPayoutsMin) return;
      await systemClock.sleep(pollMs, signal);
      signal.throwIfAborted();
    }
    throw new Error("no payout was sent after the time to restore");
  }

  /** Kills all processes; database and signer's folder are gone, the archive and the copies of the journals on other disks remain. */
  async #lose(load: { readonly stop: () => Promise<void> }): Promise<Told["atLoss"]> {
    const { deployment, database, options } = this.#context;
    await database.untilArchived();
    const choices = seededChoices(options.seed);
    for (const part of deployment.parts) if (part.kind !== "node") await part.kill(choices);
    await load.stop();
    await database.lose();
    await rm(join(options.folder, "signer"), { recursive: true });
    this.#say("Killed: api, workers, signer, database. Lost: the data and the signer's folder");
    return this.#told();
  }

  async #restore(backup: string, time: string): Promise<string> {
    const { database, options } = this.#context;
    const config = JSON.parse(await readFile(this.#context.deployment.configFile, "utf8")) as {
      readonly database: { readonly url: string };
      readonly signer: object;
      readonly worker: object;
    };
    const file = join(options.folder, "restored.json");
    const workerPort = await quietPort();
    const write = (url: string) =>
      writeFile(
        file,
        JSON.stringify({
          ...config,
          database: { ...config.database, url },
          signer: { ...config.signer, folder: join(options.folder, "signer-restored") },
          worker: { ...config.worker, port: workerPort },
        }),
        { mode: 0o600 },
      );
    await write(config.database.url);
    const printed = await this.#timed("Restored", () =>
      this.#sluice(file, ["restore", backup, "--database", database.restoreCommand(time)]),
    );
    for (const line of printed.trim().split("\n")) this.#say(`  ${line}`);
    const server = await this.#timed("The database server recovered", () =>
      database.startRestored(),
    );
    this.#stops.push(server.stop);
    await write(server.url);
    await this.#timed("The service works again", () => this.#startRestored(file, workerPort));
    return server.url;
  }

  async #startRestored(configFile: string, workerPort: number): Promise<void> {
    const { options, signal } = this.#context;
    const logFolder = join(options.folder, "logs-restored");
    await mkdir(logFolder);
    const site = {
      configFile,
      logFolder,
      programOf: () => ownProgram,
      onOwnEnd: (what: string) => {
        this.#say(`Ended: ${what}`);
      },
    };
    const start = async (name: "signer" | "worker" | "api", line: string): Promise<void> => {
      const part = programPart(site, name, name, line);
      this.#stops.push(part.stop);
      await part.start();
    };
    await start("signer", "signer is listening");
    // It exits with 1, because the worker still has to recover the database.
    await this.#insist(async () => {
      const checked = await this.#sluice(configFile, ["check"]).catch(
        (error: unknown) => (error as { readonly stdout: string }).stdout,
      );
      return /the database is (?:a copy|older than the signer)/.test(checked);
    });
    await start("worker", "worker is running");
    await this.#insist(async () => {
      const { status } = await fetch(`http://127.0.0.1:${workerPort}/readyz?scope=system`);
      return status === 200;
    });
    await start("api", "api is listening");
    const unexplained = await this.#sluice(configFile, ["unexplained", "list"]);
    this.#say(`Unexplained transactions: ${unexplained.trim()}`);
    await this.#insist(() => this.#sluice(configFile, ["resume"]).then(() => true));
    signal.throwIfAborted();
  }

  /** New load on the restored service, then rest, then the comparison. */
  async #prove(told: Told, url: string): Promise<DrillReport> {
    const { options, load, chains, signal } = this.#context;
    const { forgotten, findings } = await findForgotten(load.client, told, signal);
    const feed: SeenEvent[] = [];
    const stopReading = new AbortController();
    const reading = readFeed(load.client, feed, stopReading.signal);
    const { sql, close } = openSql(url);
    try {
      const second = this.#startLoad();
      await this.#sleep(options.seconds);
      await second.stop();
      const unrest = await heal({ ...options, sql, chains, feed, signal });
      const known = told.payouts.filter((payout) => !forgotten.payouts.has(payout));
      const evidence = {
        sql,
        chains,
        deposits: told.deposits,
        payouts: known,
        decisions: [],
        deliveries: [],
        feed,
        print: options.print,
      };
      const { finding, paidAndForgotten } = checkReceivers(chains, told, forgotten);
      const all = [
        ...findings,
        finding,
        {
          invariant: "payouts were sent between the restored time and the loss, and not again",
          checked: paidAndForgotten.length,
          faults: paidAndForgotten.length < forgottenPayoutsMin ? ["the run proves nothing"] : [],
        },
        checkReuse(told),
        ...(await checkPayments(evidence)),
        ...(await checkPayouts(evidence)),
        ...(await checkLedger(evidence)),
        {
          invariant: "everything comes to rest in time",
          checked: 1,
          faults: [...unrest, ...load.client.faults],
        },
      ];
      this.#say(
        `For a person: ${forgotten.deposits.size} deposits and ${forgotten.payouts.size} payouts were acknowledged after the restored time; ${paidAndForgotten.length} of these payouts are paid`,
      );
      return report(all, (line) => {
        this.#say(line);
      });
    } finally {
      stopReading.abort();
      await reading;
      await close();
    }
  }

  async #timed<Result>(what: string, work: () => Promise<Result>): Promise<Result> {
    const startedAt = performance.now();
    const result = await work();
    this.#say(`${what} in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
    return result;
  }

  async #insist(isDone: () => Promise<boolean>): Promise<void> {
    let last: unknown = null;
    for (let waitedMs = 0; waitedMs < patienceMs; waitedMs += pollMs) {
      const done = await isDone().catch((error: unknown) => {
        last = error;
        return false;
      });
      if (done) return;
      await systemClock.sleep(pollMs, this.#context.signal);
      this.#context.signal.throwIfAborted();
    }
    throw new Error("the restored service does not become ready", { cause: last });
  }

  async #sluice(configFile: string, args: readonly string[]): Promise<string> {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [ownProgram, ...args, "--config", configFile],
      {
        env: { PATH: process.env["PATH"] ?? "", HOME: this.#context.options.folder },
      },
    );
    return stdout;
  }

  #sleep(seconds: number): Promise<void> {
    return systemClock.sleep(seconds * 1000, this.#context.signal);
  }

  #say(line: string): void {
    this.#context.options.print(line);
  }
}

function report(findings: readonly Finding[], print: (line: string) => void): DrillReport {
  for (const { invariant, checked, faults } of findings) {
    print(`${faults.length === 0 ? "ok    " : "FAILED"} ${invariant} (${checked})`);
    for (const fault of faults.slice(0, 10)) print(`         ${fault}`);
  }
  const faults = findings.flatMap(({ invariant, faults: own }) =>
    own.map((fault) => `${invariant}: ${fault}`),
  );
  return { findings, faults };
}
