import { systemClock } from "../../src/platform/kernel/system-clock.ts";
import { addAddresses } from "./address-rows.ts";
import type { BenchSite } from "./bench-site.ts";
import {
  arrangeTenant,
  arrangeWallet,
  type Deployment,
  deploy,
  logIn,
  startPart,
  startSigner,
} from "./deployment.ts";
import { type GrowthCase, growthCases } from "./growth-cases.ts";
import { explainRequest } from "./growth-plans.ts";
import { fillGrowth } from "./growth-rows.ts";
import { type GrowthTask, growthTasks } from "./growth-tasks.ts";
import { median } from "./measure.ts";
import { metered } from "./processor-time.ts";
import { boundFinding, cellsOf, type Finding, ratioOf } from "./report.ts";
import { sampleDocument } from "./sample-deposit.ts";

const smallDeposits = 10_000;
/** `BENCH_GROWTH_DEPOSITS=10000000` takes about 80 GB of disk and hours. */
const largeDeposits = Number(process.env["BENCH_GROWTH_DEPOSITS"] ?? 1_000_000);
/** Flat: at most this much more processor time; twice where up to 10,000 rows are counted. */
const flatRatio = { usual: 1.2, counted: 2 } as const;
/** Part of a second for which each request or task is repeated, on each database in turn. */
const seconds = 0.3;
const turns = 3;

type Grown = {
  readonly deployment: Deployment;
  readonly accountId: string;
  readonly merchantId: string;
  readonly enterpriseId: string;
  readonly deposits: number;
  readonly apiPid: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly names: Readonly<Record<string, string>>;
};

type Measured = { readonly micros: number[]; readonly ms: number[] };

/**
 * The same requests and background work on a deployment with ten thousand deposits and on one with many more: processor time of the
 * process and PostgreSQL, and the ratio. Prints the plan of every statement of a request that is not flat.
 */
export async function benchGrowth(site: BenchSite): Promise<readonly Finding[]> {
  const small = await grow(site, "growth_small", smallDeposits);
  const large = await grow(site, "growth_large", largeDeposits);
  const findings: Finding[] = [];
  for (const one of growthCases()) {
    const finding = await compare(site, small, large, {
      name: one.path,
      isCounted: one.isCounted,
      run: (grown) => get(grown, one),
      pidOf: (grown) => grown.apiPid,
    });
    findings.push(finding);
    if (!isFlat(finding)) console.error(await explainRequest(large, pathOf(large, one)));
  }
  for (const task of [creation, ...growthTasks])
    findings.push(await compareTask(site, small, large, task));
  for (const grown of [small, large]) findings.push(await startOfWorker(grown));
  return findings;
}

type Comparison = {
  readonly name: string;
  readonly isCounted: boolean;
  readonly run: (grown: Grown) => Promise<void>;
  readonly pidOf: (grown: Grown) => number;
};

/** Turns alternate, so that other load on the machine meets both. */
async function compare(
  site: BenchSite,
  small: Grown,
  large: Grown,
  { name, isCounted, run, pidOf }: Comparison,
): Promise<Finding> {
  const of = new Map<Grown, Measured>([
    [small, { micros: [], ms: [] }],
    [large, { micros: [], ms: [] }],
  ]);
  for (let turn = 0; turn < turns; turn += 1)
    for (const [grown, measured] of of) {
      await run(grown);
      await metered(site, measured.micros, { pid: pidOf(grown), seconds: 1 }, async () => {
        const end = performance.now() + seconds * 1_000;
        let runs = 0;
        for (; runs === 0 || performance.now() < end; runs += 1) {
          const start = performance.now();
          await run(grown);
          measured.ms.push(performance.now() - start);
        }
        return runs;
      });
    }
  const [few, many] = [...of.values()];
  const bound = isCounted ? flatRatio.counted : flatRatio.usual;
  const finding: Finding = {
    what: `${name}: processor time`,
    product: median(many?.micros ?? []),
    unit: "us",
    floor: {
      name: `${smallDeposits.toLocaleString("en-US")} deposits`,
      value: median(few?.micros ?? []),
    },
    better: "less",
    basis: "processor",
    target: { of: "ratio", bound },
  };
  const elapsed = [few, many].map((measured) => median(measured?.ms ?? []).toFixed(1));
  console.error([...cellsOf(finding), `${elapsed.join(" to ")} ms`].join(" | "));
  return finding;
}

function isFlat(finding: Finding): boolean {
  return (ratioOf(finding) ?? 0) <= (finding.target?.bound ?? 0);
}

function compareTask(
  site: BenchSite,
  small: Grown,
  large: Grown,
  task: GrowthTask | typeof creation,
): Promise<Finding> {
  return compare(site, small, large, {
    name: task.name,
    isCounted: false,
    run: (grown) => task.run(grown),
    pidOf: (grown) => (task === creation ? grown.apiPid : process.pid),
  });
}

const creation = { name: "POST /deposit/", run: post };

async function grow(site: BenchSite, name: string, deposits: number): Promise<Grown> {
  const deployment = await deploy(site, name);
  const tenant = await arrangeTenant(deployment);
  const merchantId = await arrangeWallet(deployment, tenant, 1, "840");
  const enterpriseId = await arrangeWallet(deployment, tenant, 2, "1002");
  const { accountId, credentialId, memberId } = tenant.principal;
  const started = performance.now();
  await fillGrowth(
    site,
    deployment.databaseUrl,
    { accountId, credentialId, memberId, merchantId, enterpriseId },
    deposits,
  );
  await addAddresses(site, deployment.databaseUrl, 50_000, "waiting");
  const [size] = (await site.sql(
    deployment.databaseUrl,
    "select pg_size_pretty(pg_database_size(current_database())) as size",
  )) as { size: string }[];
  console.error(
    `${name}: ${deposits} deposits, ${size?.size ?? "?"}, filled in ${((performance.now() - started) / 1_000).toFixed(0)} s`,
  );
  const api = await startPart(deployment, "api");
  const headers = await logIn(deployment, tenant);
  const [sample] = (await site.sql(
    deployment.databaseUrl,
    "select d.address, t.txid from deposit d join transfer t on t.account_id = d.account_id and t.deposit_id = d.id where d.id = 9002",
  )) as { address: string; txid: string }[];
  return {
    deployment,
    accountId,
    merchantId,
    enterpriseId,
    deposits,
    apiPid: api.pid,
    headers,
    names: {
      MERCHANT: merchantId,
      ENTERPRISE: enterpriseId,
      ADDRESS: sample?.address ?? "",
      TXID: sample?.txid ?? "",
    },
  };
}

function pathOf({ names }: Grown, { path }: GrowthCase): string {
  return path.replace(/MERCHANT|ENTERPRISE|ADDRESS|TXID/, (name) => names[name] ?? name);
}

async function get(grown: Grown, one: GrowthCase): Promise<void> {
  const path = pathOf(grown, one);
  const answer = await fetch(`${grown.deployment.config.base_url}${path}`, {
    headers: { authorization: grown.headers["authorization"] ?? "" },
  });
  const text = await answer.text();
  if (answer.status !== 200 && answer.status !== 503)
    throw new Error(`${path} answered ${answer.status}: ${text}`);
}

async function post({ deployment, headers, merchantId }: Grown): Promise<void> {
  const answer = await fetch(`${deployment.config.base_url}/deposit/`, {
    method: "POST",
    headers: { ...headers },
    body: sampleDocument(merchantId).replace(/"tracking_id":"[^"]*",/, ""),
  });
  const text = await answer.text();
  if (answer.status !== 201) throw new Error(`no deposit: ${text}`);
}

async function startOfWorker({ deployment, deposits }: Grown): Promise<Finding> {
  const signer = await startSigner(deployment);
  const worker = await startPart(deployment, "worker");
  await systemClock.sleep(1_000);
  await worker.stop();
  await signer.stop();
  const what = `start of the worker, ${deposits.toLocaleString("en-US")} deposits`;
  return boundFinding(what, worker.readySeconds, "s", null);
}
