import { existsSync } from "node:fs";
import { join } from "node:path";
import { systemClock } from "../../src/platform/kernel/system-clock.ts";
import { freePort } from "../../src/platform/processes/free-port.ts";
import { addAddresses } from "./address-rows.ts";
import type { BenchSite } from "./bench-site.ts";
import {
  ask,
  processorSeconds,
  residentMib,
  startHelper,
  startSluice,
  untilAnswers,
} from "./child-process.ts";
import { type Deployment, deploy, startPart, startSigner } from "./deployment.ts";
import { median } from "./measure.ts";
import type { RecordedNodeOrder } from "./recorded-node-process.ts";
import { boundFinding, type Finding } from "./report.ts";

const starts = 3;
const watched = 1_000_000;
const fullBlocks = 10;
/** A process is idle after this many seconds with less of a core each, which leaves it time to give memory back. */
const quietSeconds = 4;
const quietShareMax = 0.1;
/** A worker derives addresses after its start, and gives memory back at most once a minute. */
const quietWithinSeconds = 120;

/** Time from the command to the first answer, and the memory each process then uses. */
export async function benchProcesses(site: BenchSite): Promise<readonly Finding[]> {
  const sandbox = await benchSandbox(site);
  const node = startHelper("recorded-node-process.ts", site.teardown);
  const order: RecordedNodeOrder = {
    blocks: Array.from({ length: fullBlocks }, () => ({ hits: [] })),
    hitUnits: 0n,
  };
  const { url } = await ask<{ url: string }>(node, order);
  const deployment = await deploy(site, "processes", {
    chains: { BTC: { network: "regtest", nodes: [url], start_height: 1 } },
  });
  const signer = await startSigner(deployment);
  const parts = await benchParts(deployment);
  await addAddresses(site, deployment.databaseUrl, watched, "watched");
  const api = await startPart(deployment, "api");
  const worker = await startPart(deployment, "worker");
  await ask(node, { reveal: fullBlocks });
  await untilAnswers(`${deployment.config.base_url}/readyz`);
  await untilFollowed(deployment);
  await untilIdle(worker.pid);
  const size = watched.toLocaleString("en-US");
  return [
    ...sandbox,
    boundFinding("start of the signer, production's key derivation", signer.readySeconds, "s", 2),
    boundFinding("memory of the signer", residentMib(signer.pid), "MiB", null),
    ...parts,
    boundFinding(`memory of the api, ${size} watched`, residentMib(api.pid), "MiB", 160),
    boundFinding(
      `memory of the worker, ${size} watched, after ${fullBlocks} full blocks`,
      residentMib(worker.pid),
      "MiB",
      160,
    ),
  ];
}

/** The README's start command, with nodes, database and demo accounts: in an empty folder, and again. */
async function benchSandbox(site: BenchSite): Promise<readonly Finding[]> {
  const home = join(site.folder, "sandbox");
  const seconds: number[] = [];
  let mib = 0;
  for (let start = 0; start <= starts; start += 1) {
    const began = performance.now();
    const sandbox = startSluice(["start"], {
      logFile: join(site.folder, "sandbox.log"),
      environment: { SLUICE_HOME: home, SLUICE_PORT: String(await freePort()) },
      teardown: site.teardown,
    });
    while (!existsSync(join(home, "sandbox.json"))) await systemClock.sleep(5);
    seconds.push((performance.now() - began) / 1000);
    if (start === starts) await untilIdle(sandbox.pid);
    mib = residentMib(sandbox.pid);
    await sandbox.stop();
  }
  const [first = 0, ...later] = seconds;
  return [
    boundFinding("npm start in an empty folder", first, "s", null),
    boundFinding("npm start again", median(later), "s", null),
    boundFinding("memory of the sandbox's own process (api and worker in one)", mib, "MiB", null),
  ];
}

async function benchParts(deployment: Deployment): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  for (const part of ["api", "worker"] as const) {
    const seconds: number[] = [];
    let mib = 0;
    for (let start = 0; start < starts; start += 1) {
      const running = await startPart(deployment, part);
      seconds.push(running.readySeconds);
      if (start === starts - 1) await untilIdle(running.pid);
      mib = residentMib(running.pid);
      await running.stop();
    }
    findings.push(
      boundFinding(`start of the ${part}`, median(seconds), "s", 2),
      boundFinding(`memory of the ${part}, idle`, mib, "MiB", 120),
    );
  }
  return findings;
}

/** Resolves when the process has been idle for a while, or is not within two minutes. */
async function untilIdle(pid: number): Promise<void> {
  let quiet = 0;
  for (let second = 0; second < quietWithinSeconds && quiet < quietSeconds; second += 1) {
    const before = processorSeconds(pid);
    await systemClock.sleep(1_000);
    quiet = processorSeconds(pid) - before < quietShareMax ? quiet + 1 : 0;
  }
}

async function untilFollowed({ site, databaseUrl }: Deployment): Promise<void> {
  for (;;) {
    const rows = await site.sql(
      databaseUrl,
      "select 1 from chain_cursor where chain = 'BTC' and height >= $1",
      [fullBlocks],
    );
    if (rows.length > 0) return;
    await systemClock.sleep(50);
  }
}
